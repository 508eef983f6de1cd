-- Alarms and their channels; alert rules on queues.

create table orth_alarm_channel (
    id             integer generated always as identity primary key,
    name           text        not null check (length(name) between 1 and 100),
    kind           text        not null check (kind in ('MAIL', 'WEBHOOK', 'SLACK', 'DINGTALK', 'FEISHU')),
    target         text        not null check (length(target) between 1 and 2000),
    secret         text check (length(secret) between 1 and 500),
    template       text check (length(template) between 1 and 4000),
    every_failure  boolean     not null,
    window_seconds integer     not null check (window_seconds between 0 and 86400),
    everything     boolean     not null,
    enabled        boolean     not null,
    -- When the latest alarm was, or will be, sent.
    last_alarm_at  timestamptz,
    version        integer     not null default 1,
    created_at     timestamptz not null default now(),
    updated_at     timestamptz not null default now()
);

comment on table orth_alarm_channel is
    'Where alarms are sent to. Targets of webhooks and secrets are never shown again.';

create unique index orth_alarm_channel_name on orth_alarm_channel (name);

create table orth_alarm_watch (
    channel_id integer not null references orth_alarm_channel on delete cascade,
    group_id   integer references orth_executor_group on delete cascade,
    job_id     integer references orth_job on delete cascade,
    constraint a_watch_is_of_a_group_or_a_job check (num_nonnulls(group_id, job_id) = 1)
);

comment on table orth_alarm_watch is 'The groups and jobs that a channel is limited to.';

create index orth_alarm_watch_channel on orth_alarm_watch (channel_id);
create index orth_alarm_watch_group on orth_alarm_watch (group_id);
create index orth_alarm_watch_job on orth_alarm_watch (job_id);

create table orth_alarm (
    id          bigint generated always as identity primary key,
    channel_id  integer     not null references orth_alarm_channel on delete cascade,
    status      text        not null default 'PENDING' check (status in ('PENDING', 'SENT', 'FAILED')),
    created_at  timestamptz not null default now(),
    send_at     timestamptz not null,
    -- Until when a node may be sending it.
    lease_until timestamptz,
    tries       integer     not null default 0,
    ended_at    timestamptz,
    error       text,
    about       text        not null default 'RUNS' check (about in ('RUNS', 'NOTICES')),
    seq         integer     not null default 1,
    status_at   timestamptz not null default clock_timestamp(),
    constraint an_alarm_that_is_over_has_an_end check ((status = 'PENDING') = (ended_at is null))
);

comment on table orth_alarm is 'One message to one channel, about failed runs or about alerts.';

create index orth_alarm_due on orth_alarm (send_at) where status = 'PENDING';
create index orth_alarm_of_channel on orth_alarm (channel_id, id);
create index orth_alarm_ended on orth_alarm (ended_at) where ended_at is not null;

create table orth_alarm_run (
    alarm_id   bigint  not null references orth_alarm on delete cascade,
    channel_id integer not null,
    run_id     bigint  not null,
    primary key (run_id, channel_id)
);

comment on table orth_alarm_run is 'The failed runs that an alarm is about. The key ensures one alarm per run and channel.';

create index orth_alarm_run_alarm on orth_alarm_run (alarm_id, run_id);

create table orth_alarm_pipeline_run (
    alarm_id  bigint      not null references orth_alarm on delete cascade,
    run_id    bigint      not null,
    pipeline  text        not null,
    message   text        not null,
    failed_at timestamptz not null,
    primary key (alarm_id, run_id)
);

comment on table orth_alarm_pipeline_run is
    'The failed pipeline runs that an alarm is about, as of the failure: retention may delete them before the alarm is sent.';

create table orth_alarm_notice (
    alarm_id bigint      not null references orth_alarm on delete cascade,
    no       integer     not null,
    -- Null for a notice about the executors as a whole.
    queue    text,
    rule     text        not null,
    over     boolean     not null,
    text     text        not null,
    at       timestamptz not null,
    primary key (alarm_id, no)
);

comment on table orth_alarm_notice is 'The alerts that an alarm is about, as of the notification.';

create table orth_queue_alert_rule (
    id                integer generated always as identity primary key,
    name              text        not null unique check (length(name) between 1 and 100),
    kind              text        not null check (kind in ('BACKLOG', 'FAILURE_RATIO', 'NO_WORKERS')),
    -- Null for all queues.
    queue_id          integer references orth_queue (id) on delete cascade,
    waiting           bigint check (waiting > 0),
    oldest_seconds    integer check (oldest_seconds > 0),
    ratio             float8 check (ratio > 0 and ratio <= 1),
    min_ended         bigint check (min_ended > 0),
    over_seconds      integer check (over_seconds > 0),
    for_seconds       integer     not null check (for_seconds >= 0),
    cool_down_seconds integer     not null check (cool_down_seconds > 0),
    enabled           boolean     not null,
    version           integer     not null default 1,
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now(),
    constraint a_rule_has_what_its_kind_needs check (
        (kind = 'BACKLOG') = (num_nonnulls(waiting, oldest_seconds) > 0)
        and (kind = 'FAILURE_RATIO') = (num_nonnulls(ratio, min_ended, over_seconds) = 3)
        and (kind = 'FAILURE_RATIO' or num_nonnulls(ratio, min_ended, over_seconds) = 0))
);

comment on table orth_queue_alert_rule is 'Alert rules on queues.';

create index orth_queue_alert_rule_queue on orth_queue_alert_rule (queue_id);

create table orth_queue_alert (
    id        bigint generated always as identity primary key,
    -- No foreign keys: rule and queue may be deleted.
    rule_id   integer     not null,
    rule_name text        not null,
    kind      text        not null,
    queue     text        not null,
    text      text        not null,
    fired_at  timestamptz not null,
    -- How often it was reported, and when last.
    told      integer     not null,
    told_at   timestamptz not null,
    ended_at  timestamptz,
    ended_by  text check (ended_by in ('RECOVERED', 'RULE')),
    constraint an_alert_that_is_over_has_a_reason check ((ended_at is null) = (ended_by is null))
);

comment on table orth_queue_alert is 'Alerts that fire or have fired.';

create index orth_queue_alert_firing on orth_queue_alert (id) where ended_at is null;
create index orth_queue_alert_ended on orth_queue_alert (ended_at) where ended_at is not null;
create index orth_queue_alert_queue on orth_queue_alert (queue, id);

create table orth_queue_alert_state (
    rule_id   integer not null references orth_queue_alert_rule (id) on delete cascade,
    queue_id  integer not null references orth_queue (id) on delete cascade,
    -- Since when the condition of the rule holds; null if it does not.
    since     timestamptz,
    firing    boolean not null,
    alert_id  bigint references orth_queue_alert (id) on delete set null,
    told_at   timestamptz,
    -- Whether the resolution was reported.
    over_told boolean not null,
    primary key (rule_id, queue_id)
) with (fillfactor = 70);

comment on table orth_queue_alert_state is
    'Rules whose condition holds for a queue, or that were reported recently: neither a restart nor another admin reports them again.';

create index orth_queue_alert_state_queue on orth_queue_alert_state (queue_id);
create index orth_queue_alert_state_alert on orth_queue_alert_state (alert_id);

insert into orth_queue_alert_rule (name, kind, waiting, ratio, min_ended, over_seconds, for_seconds, cool_down_seconds, enabled)
values ('Backlog', 'BACKLOG', 1000, null, null, null, 0, 3600, true),
       ('Many failures', 'FAILURE_RATIO', null, 0.5, 50, 300, 0, 1800, true),
       ('No workers', 'NO_WORKERS', null, null, null, null, 60, 900, true);
