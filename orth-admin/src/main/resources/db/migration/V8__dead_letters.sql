-- Dead letters of messages and runs, and bulk operations on them.

create table orth_dead_letter (
    -- In the order in which they were dead-lettered, which lists use.
    no                 bigint generated always as identity primary key,
    -- Of the message or run.
    id                 bigint      not null unique,
    kind               text        not null default 'MESSAGE' check (kind in ('MESSAGE', 'RUN')),
    queue_id           integer references orth_queue (id),
    lane               smallint,
    seq                integer,
    status_at          timestamptz not null,
    past               timestamptz[],
    attempt            integer     not null,
    max_attempts       integer     not null,
    pushed_at          timestamptz not null,
    executor_id        bigint,
    log_id             bigint,
    backoff_initial_ms bigint,
    backoff_multiplier float8,
    backoff_max_ms     bigint,
    backoff_jitter     float8,
    unique_key         text,
    group_key          text,
    trace_id           text,
    size               integer     not null,
    metadata           text,
    failures           jsonb       not null,
    cause              text        not null,
    error              text        not null,
    stack              text,
    fingerprint        text        not null,
    payload            text        not null,
    -- What is needed to create a run again after its own row has been deleted.
    job_id             integer,
    job_name           text,
    handler            text,
    schedule_time      timestamptz,
    shard_index        integer,
    shard_total        integer,
    root_run           bigint,
    constraint a_message_is_of_a_queue check (
        (kind = 'MESSAGE') = (queue_id is not null) and (kind = 'MESSAGE') = (lane is not null) and (kind = 'MESSAGE') = (seq is not null)),
    constraint a_run_is_of_a_job check (
        (kind = 'RUN') = (job_id is not null) and (kind = 'RUN') = (job_name is not null)
        and (kind = 'RUN') = (shard_index is not null) and (kind = 'RUN') = (shard_total is not null)
        and (kind = 'RUN') = (root_run is not null))
);

comment on table orth_dead_letter is 'Messages and runs whose last attempt failed, kept until retried, discarded or expired.';

create index orth_dead_letter_queue on orth_dead_letter (queue_id, no);
create index orth_dead_letter_fingerprint on orth_dead_letter (fingerprint, no);
-- With the number: many may have been dead-lettered at the same moment.
create index orth_dead_letter_at on orth_dead_letter (status_at, no);
create index orth_dead_letter_kind on orth_dead_letter (kind, no);
create index orth_dead_letter_of_queue on orth_dead_letter (queue_id, fingerprint, no) where queue_id is not null;
create index orth_dead_letter_job on orth_dead_letter (job_id, no) where job_id is not null;
create index orth_dead_letter_handler on orth_dead_letter (handler, no) where handler is not null;
create index orth_dead_letter_trace on orth_dead_letter (trace_id, no) where trace_id is not null;
create index orth_dead_letter_of_job on orth_dead_letter (job_id, fingerprint, no) where job_id is not null;

create table orth_dead_letter_tally (
    kind        text        not null,
    -- The queue or the job.
    owner       integer     not null,
    fingerprint text        not null,
    letters     bigint      not null,
    first_at    timestamptz not null,
    last_at     timestamptz not null
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

comment on table orth_dead_letter_tally is
    'Counts not yet added to orth_dead_letter_group. Inserted with the dead letters and summed up later, so that no transaction waits for a'
    ' shared row.';

create table orth_dead_letter_group (
    kind        text        not null check (kind in ('MESSAGE', 'RUN')),
    -- The queue or the job.
    owner       integer     not null,
    fingerprint text        not null,
    letters     bigint      not null,
    first_seen  timestamptz not null,
    last_seen   timestamptz not null,
    -- A group without dead letters is kept for a time from then on.
    changed_at  timestamptz not null default now(),
    primary key (kind, owner, fingerprint)
) with (fillfactor = 70);

comment on table orth_dead_letter_group is 'Kinds of failures: the number of dead letters for each queue or job and fingerprint.';

create index orth_dead_letter_group_most on orth_dead_letter_group (letters) where letters > 0;
create index orth_dead_letter_group_kind on orth_dead_letter_group (kind, letters) where letters > 0;
create index orth_dead_letter_group_owner on orth_dead_letter_group (kind, owner, letters) where letters > 0;
create index orth_dead_letter_group_print on orth_dead_letter_group (fingerprint);
create index orth_dead_letter_group_gone on orth_dead_letter_group (changed_at) where letters = 0;

create table orth_operation (
    id          bigint generated always as identity primary key,
    action      text        not null check (action in ('RETRY', 'DISCARD', 'PURGE')),
    status      text        not null check (status in ('RUNNING', 'PAUSED', 'DONE', 'ABORTED')),
    -- The filter, or the numbers of dead letters.
    kind        text check (kind in ('MESSAGE', 'RUN')),
    -- No foreign key: the queue may be deleted before the operation has finished.
    queue_id    integer,
    job_id      integer,
    handler     text,
    trace_id    text,
    fingerprint text,
    error       text,
    died_from   timestamptz,
    died_to     timestamptz,
    numbers     bigint[],
    -- Later dead letters are not affected.
    last_no     bigint      not null,
    -- The cursor.
    place       bigint      not null default 0,
    -- A cursor for each queue or job that was at capacity.
    branches    jsonb       not null default '[]',
    total       bigint      not null,
    done        bigint      not null default 0,
    skipped     bigint      not null default 0,
    failed      bigint      not null default 0,
    last_error  text,
    -- The queue or job at capacity that the operation currently waits for.
    held_by     text,
    reason      text        not null,
    created_by  text        not null,
    created_at  timestamptz not null default clock_timestamp(),
    updated_at  timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    -- Not continued before this time.
    next_at     timestamptz not null default now(),
    seq         integer     not null default 1,
    status_at   timestamptz not null default clock_timestamp(),
    constraint a_purge_is_of_a_queue check (action <> 'PURGE' or queue_id is not null),
    constraint what_is_over_has_ended check ((status in ('DONE', 'ABORTED')) = (finished_at is not null))
) with (fillfactor = 70);

comment on table orth_operation is 'Bulk operations on dead letters and queues, run in chunks.';

create index orth_operation_next on orth_operation (next_at) where status = 'RUNNING';
create index orth_operation_status on orth_operation (status, id);
create index orth_operation_finished on orth_operation (finished_at) where finished_at is not null;
