-- Nodes: each admin holds one number for as long as it lives; run ids carry it. The high-water mark is the largest
-- time (milliseconds since Orth's epoch) an id of that number may have, so no id is ever issued twice.
create table orth_node (
    number        smallint primary key check (number between 0 and 63),
    node_id       text,
    host          text,
    pid           bigint,
    version       text,
    term          bigint      not null default 0,
    started_at    timestamptz,
    expires_at    timestamptz not null default '-infinity',
    id_high_water bigint      not null default 0
);

insert into orth_node (number)
select generate_series(0, 63);

-- Duties that run once per cluster. Judged by database time only; the term fences an old holder.
create table orth_lease (
    duty        text primary key,
    holder      text        not null,
    term        bigint      not null,
    acquired_at timestamptz not null,
    expires_at  timestamptz not null
);

create table orth_executor_group (
    id         integer generated always as identity primary key,
    name       text        not null unique check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
    title      text        not null check (length(title) <= 200),
    -- The wire demands the token itself on both sides, so it is kept as it is; lookups go by its hash.
    token      text        not null,
    token_hash bytea       not null unique,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

-- One row per boot of an executor.
create table orth_executor (
    id                  bigint generated always as identity primary key,
    instance_id         text        not null unique check (length(instance_id) <= 100),
    group_id            integer     not null references orth_executor_group,
    address             text        not null check (length(address) <= 300),
    host                text        not null,
    pid                 bigint      not null,
    version             text        not null,
    status              text        not null check (status in ('ONLINE', 'OFFLINE', 'DEAD')),
    seq                 integer     not null,
    status_at           timestamptz not null,
    registered_at       timestamptz not null default now(),
    last_beat_at        timestamptz not null default now(),
    leftovers_delivered boolean     not null
);

create index orth_executor_group_status on orth_executor (group_id, status);
create index orth_executor_address on orth_executor (group_id, address) where status = 'ONLINE';
create index orth_executor_beat on orth_executor (last_beat_at) where status = 'ONLINE';
create index orth_executor_gone on orth_executor (status_at) where status <> 'ONLINE';

create table orth_job (
    id            integer generated always as identity primary key,
    name          text        not null check (length(name) between 1 and 200),
    group_id      integer     not null references orth_executor_group,
    handler       text        not null check (length(handler) between 1 and 200),
    param         text        not null,
    schedule_type text        not null check (schedule_type in ('CRON', 'FIXED_RATE', 'NONE')),
    cron          text,
    zone          text,
    interval_ms   bigint check (interval_ms > 0),
    misfire       text        not null check (misfire in ('DO_NOTHING', 'FIRE_ONCE', 'FIRE_ALL')),
    enabled       boolean     not null,
    stop_reason   text,
    next_fire_at  timestamptz,
    version       integer     not null default 1,
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now(),
    constraint a_cron_schedule_has_expression_and_zone
        check ((schedule_type = 'CRON') = (cron is not null) and (schedule_type = 'CRON') = (zone is not null)),
    constraint a_fixed_rate_has_an_interval check ((schedule_type = 'FIXED_RATE') = (interval_ms is not null)),
    constraint only_an_enabled_job_is_due check (next_fire_at is null or enabled)
);

create unique index orth_job_name on orth_job (group_id, name);
create index orth_job_due on orth_job (next_fire_at) where next_fire_at is not null;

-- One execution. The status always agrees with the two codes.
create table orth_run (
    id            bigint primary key,
    job_id        integer     not null,
    job_name      text        not null,
    group_id      integer     not null,
    handler       text        not null,
    param         text        not null,
    trigger_type  text        not null check (trigger_type in ('SCHEDULE', 'MISFIRE', 'MANUAL', 'API')),
    schedule_time timestamptz,
    created_at    timestamptz not null default now(),
    status        text        not null,
    seq           integer     not null,
    status_at     timestamptz not null,
    cause         text        not null,
    trigger_code  integer     not null,
    trigger_msg   text,
    handle_code   integer     not null,
    handle_msg    text,
    -- The intent to send, committed before each send: to whom, where, the how-manieth time.
    dispatch      integer     not null default 0,
    executor_id   bigint,
    address       text,
    triggered_at  timestamptz,
    finished_at   timestamptz,
    -- While INIT: until when the node that took the run may be sending it.
    claim_until   timestamptz not null,
    trace_id      text,
    constraint the_status_agrees_with_the_codes check (
        case status
            when 'INIT' then trigger_code = 0 and handle_code = 0
            when 'PENDING' then trigger_code = 200 and handle_code = 0
            when 'SUCCESS' then trigger_code = 200 and handle_code = 200
            when 'TIMEOUT' then trigger_code = 200 and handle_code = 502
            when 'FAILED' then trigger_code = 200 and handle_code not in (0, 200, 502)
            when 'TRIGGER_FAILED' then trigger_code not in (0, 200)
            else false
        end),
    constraint a_planned_run_has_a_time check ((trigger_type in ('SCHEDULE', 'MISFIRE')) = (schedule_time is not null))
) with (fillfactor = 70);

-- The database's own word that a due instant has one run.
create unique index orth_run_planned on orth_run (job_id, schedule_time) where schedule_time is not null;
create index orth_run_job on orth_run (job_id, id);
create index orth_run_group on orth_run (group_id, id);
create index orth_run_status on orth_run (status, id);
create index orth_run_unsent on orth_run (claim_until) where status = 'INIT';
create index orth_run_awaited on orth_run (executor_id) where status = 'PENDING';

-- Every change of state, written in the transaction that made it.
create table orth_transition (
    entity         text        not null check (entity in ('RUN', 'EXECUTOR')),
    entity_id      bigint      not null,
    seq            integer     not null,
    from_status    text,
    to_status      text        not null,
    at             timestamptz not null,
    millis_in_from bigint,
    cause          text        not null,
    job_id         integer,
    executor_id    bigint,
    node_id        text        not null,
    trace_id       text,
    primary key (entity, entity_id, seq)
);

create index orth_transition_at on orth_transition (at);
