-- Executor groups, executors and their heartbeats.

create table orth_executor_group (
    id         integer generated always as identity primary key,
    name       text        not null unique check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
    title      text        not null check (length(title) <= 200),
    -- The wire needs the token itself on both sides, so it is stored in clear text; lookups use its hash.
    token      text        not null,
    token_hash bytea       not null unique,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

comment on table orth_executor_group is 'Groups of executors: the executors of one application, with a token of their own.';

create table orth_executor (
    id                   bigint generated always as identity primary key,
    instance_id          text        not null unique check (length(instance_id) <= 100),
    group_id             integer     not null references orth_executor_group,
    address              text        not null check (length(address) <= 300),
    host                 text        not null,
    pid                  bigint      not null,
    version              text        not null,
    status               text        not null check (status in ('ONLINE', 'OFFLINE', 'DEAD')),
    seq                  integer     not null,
    status_at            timestamptz not null,
    registered_at        timestamptz not null default now(),
    last_beat_at         timestamptz not null default now(),
    leftovers_delivered  boolean     not null,
    draining             boolean     not null default false,
    -- The metrics of the last heartbeat. cpu is the load of the host.
    cpu                  double precision,
    rss_mb               bigint,
    heap_used_mb         bigint,
    heap_total_mb        bigint,
    running              integer,
    queued               integer,
    leaked_threads       integer,
    -- ORTH: one row per start of the process. XXL_JOB: one row per group and address, as these do not distinguish their starts.
    kind                 text        not null default 'ORTH' check (kind in ('ORTH', 'XXL_JOB')),
    -- When an admin last could not reach the executor, although it sends heartbeats.
    unreachable_at       timestamptz,
    -- The share of the host's cores that the process used, from 0 to 1; null if not reported.
    process_cpu          double precision,
    -- How long the response to the last heartbeat allowed the executor to start work. An admin with a shorter timeout must not declare
    -- it dead before. 0 if nothing was promised.
    heartbeat_timeout_ms integer     not null default 0 check (heartbeat_timeout_ms >= 0),
    -- The id of the time zone of the times in the executor's logs. Null if not reported.
    zone                 text,
    constraint metrics_are_all_there_or_none
        check (num_nulls(cpu, rss_mb, heap_used_mb, heap_total_mb, running, queued, leaked_threads) in (0, 7))
);

comment on table orth_executor is 'Executor instances, with the status and metrics of their last heartbeat.';

create index orth_executor_group_status on orth_executor (group_id, status);
create index orth_executor_address on orth_executor (group_id, address) where status = 'ONLINE';
create index orth_executor_beat on orth_executor (last_beat_at) where status = 'ONLINE';
create index orth_executor_gone on orth_executor (status_at) where status <> 'ONLINE';
create unique index orth_executor_foreign on orth_executor (group_id, address) where kind = 'XXL_JOB';

-- The liveness rule: whether an executor with this status is not available. Null is the status of an executor whose row was deleted. The
-- planner inlines it and knows its negation as status = 'ONLINE', so indexes with the status are used: few executors are online among
-- all that are kept.
create function orth_is_gone(status text) returns boolean language sql immutable parallel safe as $$
    select status is null or status <> 'ONLINE'
$$;

-- Whether the work of an executor with this status is lost and goes to others: the one rule for runs, messages and pipeline tasks. The
-- work of a dead executor is lost immediately. An executor that has deregistered has handed over its results; those that an admin
-- still has to record, or that are left on its disk, get the grace period (in seconds). Inlined by the planner.
create function orth_work_is_lost(status text, status_at timestamptz, grace double precision) returns boolean
    language sql stable parallel safe as $$
    select orth_is_gone(status) and (status is distinct from 'OFFLINE' or status_at < now() - make_interval(secs => grace))
$$;

create table orth_executor_sample (
    executor_id    bigint           not null references orth_executor on delete cascade,
    at             timestamptz      not null,
    cpu            double precision not null,
    rss_mb         bigint           not null,
    heap_used_mb   bigint           not null,
    heap_total_mb  bigint           not null,
    running        integer          not null,
    queued         integer          not null,
    leaked_threads integer          not null,
    process_cpu    double precision,
    primary key (executor_id, at)
);

comment on table orth_executor_sample is 'Metrics of each online executor, one sample a minute.';

create index orth_executor_sample_at on orth_executor_sample (at);

-- Callers need no token to get here, so every text is bounded, and so is the number of rows: each node writes at most 200 at a time and
-- keeps the latest 200.
create table orth_rejected_registration (
    peer          text        not null check (length(peer) <= 64),
    group_name    text        not null check (length(group_name) <= 64),
    address       text        not null check (length(address) <= 300),
    reason        text        not null check (reason in ('WRONG_TOKEN', 'WRONG_GROUP', 'INVALID_ADDRESS', 'ADDRESS_NOT_ALLOWED',
                                                         'INVALID_REQUEST')),
    message       text        not null check (length(message) <= 300),
    attempts      bigint      not null,
    first_seen_at timestamptz not null,
    last_seen_at  timestamptz not null,
    primary key (peer, group_name, address, reason)
);

comment on table orth_rejected_registration is 'Rejected registrations of executors.';
