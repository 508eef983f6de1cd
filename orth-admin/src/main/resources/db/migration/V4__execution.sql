-- How an executor runs a job: what it does while the job is busy there, for how long a run may take, and what runs: a
-- handler that the executor has, or source text that is kept here.
alter table orth_job
    alter column handler drop not null,
    add column block_strategy  text    not null default 'SERIAL'
        check (block_strategy in ('SERIAL', 'DISCARD', 'COVER', 'CONCURRENT')),
    add column concurrency     integer not null default 1 check (concurrency between 1 and 10000),
    add column timeout_seconds integer not null default 0 check (timeout_seconds between 0 and 2592000),
    add column glue_type       text    not null default 'BEAN'
        check (glue_type in ('BEAN', 'GLUE_GROOVY', 'GLUE_SHELL', 'GLUE_PYTHON', 'GLUE_PYTHON2', 'GLUE_PHP', 'GLUE_NODEJS',
                             'GLUE_POWERSHELL')),
    add column source_version  integer,
    add constraint a_job_names_a_handler_or_has_source
        check ((glue_type = 'BEAN') = (handler is not null) and (glue_type = 'BEAN') = (source_version is null)),
    add constraint only_concurrent_runs_are_counted check (block_strategy = 'CONCURRENT' or concurrency = 1);

-- Versions of a job's source. None is ever changed, so whoever has read one may keep it. The time is the version's name on
-- executors, so no two versions of a job share one.
create table orth_job_source (
    job_id     integer     not null references orth_job on delete cascade,
    version    integer     not null check (version > 0),
    type       text        not null check (type like 'GLUE\_%'),
    source     text        not null check (octet_length(source) <= 1048576),
    note       text        not null check (length(note) <= 200),
    author     text        not null,
    created_at timestamptz not null,
    primary key (job_id, version),
    unique (job_id, created_at)
);

-- A run keeps what its job said when it was made; of the source only which version it was.
alter table orth_run
    alter column handler drop not null,
    add column block_strategy    text    not null default 'SERIAL',
    add column concurrency       integer not null default 1,
    add column timeout_seconds   integer not null default 0,
    add column glue_type         text    not null default 'BEAN',
    add column source_version    integer,
    -- Who wants it ended, since when, why, and when that is seen to next.
    add column kill_requested_at timestamptz,
    add column kill_requested_by text,
    add column kill_reason       text,
    add column kill_next_at      timestamptz,
    add constraint a_run_has_a_handler_or_source
        check ((glue_type = 'BEAN') = (handler is not null) and (glue_type = 'BEAN') = (source_version is null)),
    add constraint a_kill_has_its_facts
        check ((kill_requested_at is null) = (kill_requested_by is null)
           and (kill_requested_at is null) = (kill_next_at is null));

-- What of a job is not over, without reading what is.
create index orth_run_open on orth_run (job_id, id) where status in ('INIT', 'PENDING');
create index orth_run_to_kill on orth_run (kill_next_at) where kill_next_at is not null and status in ('INIT', 'PENDING');
