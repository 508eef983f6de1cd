-- Definitions of jobs, their schedules, sources and children, fires that were skipped, jobs declared in code, imported jobs.

create table orth_job (
    id                 integer generated always as identity primary key,
    name               text        not null check (length(name) between 1 and 200),
    group_id           integer     not null references orth_executor_group,
    handler            text check (length(handler) between 1 and 200),
    param              text        not null,
    schedule_type      text        not null check (schedule_type in ('CRON', 'FIXED_RATE', 'FIXED_DELAY', 'ONE_SHOT', 'NONE')),
    cron               text,
    zone               text,
    interval_ms        bigint check (interval_ms > 0),
    misfire            text        not null check (misfire in ('DO_NOTHING', 'FIRE_ONCE', 'FIRE_ALL')),
    enabled            boolean     not null,
    stop_reason        text,
    next_fire_at       timestamptz,
    version            integer     not null default 1,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now(),
    block_strategy     text        not null default 'SERIAL' check (block_strategy in ('SERIAL', 'DISCARD', 'COVER', 'CONCURRENT')),
    concurrency        integer     not null default 1 check (concurrency between 1 and 10000),
    timeout_seconds    integer     not null default 0 check (timeout_seconds between 0 and 2592000),
    glue_type          text        not null default 'BEAN'
        check (glue_type in ('BEAN', 'GLUE_GROOVY', 'GLUE_SHELL', 'GLUE_PYTHON', 'GLUE_PYTHON2', 'GLUE_PHP', 'GLUE_NODEJS',
                             'GLUE_POWERSHELL')),
    source_version     integer,
    fire_at            timestamptz,
    starts_at          timestamptz,
    ends_at            timestamptz,
    -- The run whose end a fixed delay counts from. While it is set, the job is not due.
    awaited_run        bigint,
    -- How many missed fires were made up for since the job was last on time.
    caught_up          integer     not null default 0 check (caught_up >= 0),
    route_strategy     text        not null default 'ROUND'
        check (route_strategy in ('FIRST', 'LAST', 'ROUND', 'RANDOM', 'CONSISTENT_HASH', 'LFU', 'LRU', 'FAILOVER',
                                  'BUSYOVER', 'SHARDING_BROADCAST')),
    -- Allowed executors, preferred ones first, separated by spaces. Empty for all executors of the group.
    addresses          text        not null default '',
    -- Counts the fires: the position for ROUND.
    turn               bigint      not null default 0,
    max_attempts       integer     not null default 1 check (max_attempts between 1 and 100),
    backoff_initial_ms bigint      not null default 10000,
    backoff_max_ms     bigint      not null default 3600000,
    backoff_multiplier float8      not null default 2 check (backoff_multiplier between 1 and 100),
    backoff_jitter     float8      not null default 0 check (backoff_jitter between 0 and 1),
    -- Of the status, which is derived from enabled and stop_reason: how many transitions there were, and when the last one was.
    seq                integer     not null default 0,
    status_at          timestamptz not null default now(),
    -- Whether the block strategy holds on each executor or over all executors of the group.
    block_scope        text        not null default 'EXECUTOR' check (block_scope in ('EXECUTOR', 'CLUSTER')),
    constraint a_cron_schedule_has_expression_and_zone
        check ((schedule_type = 'CRON') = (cron is not null) and (schedule_type = 'CRON') = (zone is not null)),
    constraint a_repeated_job_has_an_interval check ((schedule_type in ('FIXED_RATE', 'FIXED_DELAY')) = (interval_ms is not null)),
    constraint a_one_shot_has_its_instant check ((schedule_type = 'ONE_SHOT') = (fire_at is not null)),
    constraint only_what_repeats_has_a_window
        check ((starts_at is null and ends_at is null) or schedule_type not in ('ONE_SHOT', 'NONE')),
    constraint a_window_ends_after_its_start check (ends_at > starts_at),
    constraint only_an_enabled_job_is_due check (next_fire_at is null or enabled),
    constraint a_job_that_awaits_a_run_is_not_due check (awaited_run is null or next_fire_at is null),
    constraint a_job_names_a_handler_or_has_source
        check ((glue_type = 'BEAN') = (handler is not null) and (glue_type = 'BEAN') = (source_version is null)),
    constraint only_concurrent_runs_are_counted check (block_strategy = 'CONCURRENT' or concurrency = 1),
    constraint orth_job_backoff_check check (backoff_initial_ms >= 0 and backoff_max_ms >= backoff_initial_ms)
) with (fillfactor = 70, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 10000);

comment on table orth_job is
    'Definitions of jobs: what runs, when, where, and what follows a failure. Each fire leaves a dead row version, hence the storage'
    ' parameters.';

create unique index orth_job_name on orth_job (group_id, name);
create index orth_job_due on orth_job (next_fire_at) where next_fire_at is not null;
create index orth_job_awaiting on orth_job (awaited_run) where awaited_run is not null;
create index orth_job_in_turns on orth_job (id) where block_scope = 'CLUSTER';

create table orth_job_source (
    job_id     integer     not null references orth_job on delete cascade,
    version    integer     not null check (version > 0),
    type       text        not null check (type like 'GLUE\_%'),
    source     text        not null check (octet_length(source) <= 1048576),
    note       text        not null check (length(note) <= 200),
    author     text        not null,
    -- Executors know a version by this time, so no two versions of a job share one.
    created_at timestamptz not null,
    primary key (job_id, version),
    unique (job_id, created_at)
);

comment on table orth_job_source is 'Versions of the source text of script and Groovy jobs. A version never changes, so it may be cached.';

create table orth_job_child (
    job_id   integer not null references orth_job on delete cascade,
    -- No foreign key: the child may be deleted. Its fires are then listed as skipped.
    child_id integer not null,
    position integer not null,
    -- The child's own parameter, a fixed one, or the message of the parent's result.
    pass     text    not null check (pass in ('NONE', 'FIXED', 'RESULT')),
    param    text,
    primary key (job_id, child_id),
    constraint only_a_fixed_parameter_is_kept check ((pass = 'FIXED') = (param is not null))
);

comment on table orth_job_child is 'Jobs that each success of a job fires.';

create index orth_job_child_of on orth_job_child (child_id);

create table orth_decision (
    id         bigint generated always as identity primary key,
    job_id     integer     not null references orth_job on delete cascade,
    reason     text        not null check (reason in ('MISSED', 'MERGED', 'CATCH_UP_CAP', 'PAUSED', 'OUTSIDE_WINDOW', 'RESCHEDULED',
                                                      'UNREADABLE', 'PAUSED_CHILD', 'DELETED_CHILD', 'DISCARDED', 'NO_EXECUTOR')),
    first_at   timestamptz not null,
    -- Null while fires are still being skipped.
    last_at    timestamptz,
    -- Null while fires are still being skipped, and if they cannot be counted.
    fires      integer check (fires > 0),
    -- More fires were skipped than counted.
    more       boolean     not null default false,
    decided_at timestamptz not null default now(),
    constraint a_stretch_is_in_order check (last_at >= first_at)
);

comment on table orth_decision is 'Skipped fires: one row for consecutive fires that were skipped for the same reason.';

create index orth_decision_job on orth_decision (job_id, id);
create index orth_decision_reason on orth_decision (job_id, reason, id);
create index orth_decision_ended on orth_decision (last_at) where last_at is not null;
create unique index orth_decision_open on orth_decision (job_id) where last_at is null;

create table orth_deleted_job (
    id         integer     primary key,
    name       text        not null,
    handler    text,
    group_id   integer     not null,
    deleted_at timestamptz not null default now()
);

comment on table orth_deleted_job is 'Facts about deleted jobs, kept as long as the transitions that refer to them.';

create table orth_job_declaration (
    group_id     integer     not null references orth_executor_group on delete cascade,
    name         text        not null check (length(name) between 1 and 200),
    -- Null if the job was deleted or could never be created.
    job_id       integer references orth_job on delete set null,
    -- The last valid declaration. While the job still equals it, the job follows the code.
    declared     jsonb,
    -- Why the current declaration was rejected.
    problem      text,
    declared_at  timestamptz not null default now(),
    -- The executor instance that declared it.
    instance_id  text        not null,
    -- When the declaration disappeared from the code.
    withdrawn_at timestamptz,
    primary key (group_id, name)
);

comment on table orth_job_declaration is 'Jobs declared in code. The job itself is an ordinary one; this row is what the code declares about it.';

create unique index orth_job_declaration_job on orth_job_declaration (job_id);

create table orth_declaring (
    executor_id bigint  not null primary key references orth_executor on delete cascade,
    group_id    integer not null references orth_executor_group on delete cascade,
    hash        text    not null check (length(hash) = 64)
);

comment on table orth_declaring is 'The hash of the jobs that each executor declares. The latest executor of a group decides.';

create index orth_declaring_group on orth_declaring (group_id, executor_id desc);

create table orth_declared_set (
    group_id integer not null primary key references orth_executor_group on delete cascade,
    hash     text
);

comment on table orth_declared_set is
    'Which declarations of a group are in force. Transactions that change the declarations of a group lock its row.';

create table orth_imported_job (
    installation text        not null check (length(installation) <= 400),
    source_id    integer     not null,
    job_id       integer     not null references orth_job on delete cascade,
    -- The fields of the XXL-JOB row at the time of the import; long texts as their beginning, length and hash.
    source_row   jsonb       not null,
    imported_at  timestamptz not null default now(),
    primary key (installation, source_id),
    unique (installation, job_id)
);

comment on table orth_imported_job is
    'The XXL-JOB job that each imported job comes from, so that another import finds it under any name and reports what changed there.';

create index orth_imported_job_of on orth_imported_job (job_id);
