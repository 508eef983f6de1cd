-- Alarms. Runs that are over when this comes need none, and every new one is undecided: 0.
alter table orth_run
    add column alarm_status integer not null default 1,
    add constraint alarm_status_is_known check (alarm_status between -1 and 3);
alter table orth_run alter column alarm_status set default 0;

-- Failed runs that nobody has decided about, and those that an alarm has taken.
create index orth_run_to_alarm on orth_run (id)
    where alarm_status = 0 and status in ('FAILED', 'TIMEOUT', 'TRIGGER_FAILED');
create index orth_run_in_alarm on orth_run (id) where alarm_status = -1;

-- Who is told, of what, and how. Targets of webhooks and secrets are never shown again.
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
    -- When the newest alarm was, or is, to be sent.
    last_alarm_at  timestamptz,
    version        integer     not null default 1,
    created_at     timestamptz not null default now(),
    updated_at     timestamptz not null default now()
);

create unique index orth_alarm_channel_name on orth_alarm_channel (name);

create table orth_alarm_watch (
    channel_id integer not null references orth_alarm_channel on delete cascade,
    group_id   integer references orth_executor_group on delete cascade,
    job_id     integer references orth_job on delete cascade,
    constraint a_watch_is_of_a_group_or_a_job check (num_nonnulls(group_id, job_id) = 1)
);

create index orth_alarm_watch_channel on orth_alarm_watch (channel_id);
create index orth_alarm_watch_group on orth_alarm_watch (group_id);
create index orth_alarm_watch_job on orth_alarm_watch (job_id);

-- One message to one channel about one run or many.
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
    constraint an_alarm_that_is_over_has_an_end check ((status = 'PENDING') = (ended_at is null))
);

create index orth_alarm_due on orth_alarm (send_at) where status = 'PENDING';
create index orth_alarm_of_channel on orth_alarm (channel_id, id);
create index orth_alarm_ended on orth_alarm (ended_at) where ended_at is not null;

-- Each channel hears of a run once: the database's own word.
create table orth_alarm_run (
    alarm_id   bigint  not null references orth_alarm on delete cascade,
    channel_id integer not null,
    run_id     bigint  not null,
    primary key (run_id, channel_id)
);

create index orth_alarm_run_alarm on orth_alarm_run (alarm_id, run_id);
