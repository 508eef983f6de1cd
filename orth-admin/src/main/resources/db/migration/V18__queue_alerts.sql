-- Alerts on queues: what is watched for, since when it holds, and what came of it.
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

create index orth_queue_alert_rule_queue on orth_queue_alert_rule (queue_id);

-- What fires, and what has. Its rule and its queue may be gone by now.
create table orth_queue_alert (
    id        bigint generated always as identity primary key,
    rule_id   integer     not null,
    rule_name text        not null,
    kind      text        not null,
    queue     text        not null,
    text      text        not null,
    fired_at  timestamptz not null,
    -- How often people were told, and when last.
    told      integer     not null,
    told_at   timestamptz not null,
    ended_at  timestamptz,
    ended_by  text check (ended_by in ('RECOVERED', 'RULE')),
    constraint an_alert_that_is_over_has_a_reason check ((ended_at is null) = (ended_by is null))
);

create index orth_queue_alert_firing on orth_queue_alert (id) where ended_at is null;
create index orth_queue_alert_ended on orth_queue_alert (ended_at) where ended_at is not null;
create index orth_queue_alert_queue on orth_queue_alert (queue, id);

-- Rules that hold for a queue, or have been told of lately: kept here so that neither a restart nor another admin tells it again.
create table orth_queue_alert_state (
    rule_id   integer not null references orth_queue_alert_rule (id) on delete cascade,
    queue_id  integer not null references orth_queue (id) on delete cascade,
    -- Since when it holds; null where it does not.
    since     timestamptz,
    firing    boolean not null,
    alert_id  bigint references orth_queue_alert (id) on delete set null,
    told_at   timestamptz,
    -- Whether people know that it is over.
    over_told boolean not null,
    primary key (rule_id, queue_id)
) with (fillfactor = 70);

create index orth_queue_alert_state_queue on orth_queue_alert_state (queue_id);
create index orth_queue_alert_state_alert on orth_queue_alert_state (alert_id);

insert into orth_queue_alert_rule (name, kind, waiting, ratio, min_ended, over_seconds, for_seconds, cool_down_seconds, enabled)
values ('Backlog', 'BACKLOG', 1000, null, null, null, 0, 3600, true),
       ('Many failures', 'FAILURE_RATIO', null, 0.5, 50, 300, 0, 1800, true),
       ('No workers', 'NO_WORKERS', null, null, null, null, 60, 900, true);

-- An alarm is about failed runs, or about alerts as they were told.
alter table orth_alarm add column about text not null default 'RUNS' check (about in ('RUNS', 'NOTICES'));

create table orth_alarm_notice (
    alarm_id bigint      not null references orth_alarm on delete cascade,
    no       integer     not null,
    queue    text        not null,
    rule     text        not null,
    over     boolean     not null,
    text     text        not null,
    at       timestamptz not null,
    primary key (alarm_id, no)
);
