-- Runs that failed for the last time are kept beside messages that were given up, in one list.
alter table orth_dead_letter
    alter queue_id drop not null,
    alter lane drop not null,
    alter seq drop not null,
    add kind          text not null default 'MESSAGE' check (kind in ('MESSAGE', 'RUN')),
    -- What a run needs to be made once more when its own row is long gone.
    add job_id        integer,
    add job_name      text,
    add handler       text,
    add schedule_time timestamptz,
    add shard_index   integer,
    add shard_total   integer,
    add root_run      bigint,
    add constraint a_message_is_of_a_queue check (
        (kind = 'MESSAGE') = (queue_id is not null) and (kind = 'MESSAGE') = (lane is not null) and (kind = 'MESSAGE') = (seq is not null)),
    add constraint a_run_is_of_a_job check (
        (kind = 'RUN') = (job_id is not null) and (kind = 'RUN') = (job_name is not null)
        and (kind = 'RUN') = (shard_index is not null) and (kind = 'RUN') = (shard_total is not null)
        and (kind = 'RUN') = (root_run is not null));

-- Parts of error texts are searched for, not words.
drop index orth_dead_letter_words;
-- Whoever goes through the oldest has to get past those that died at one moment.
drop index orth_dead_letter_at;
create index orth_dead_letter_at on orth_dead_letter (status_at, no);
create index orth_dead_letter_kind on orth_dead_letter (kind, no);
create index orth_dead_letter_of_queue on orth_dead_letter (queue_id, fingerprint, no) where queue_id is not null;
create index orth_dead_letter_job on orth_dead_letter (job_id, no) where job_id is not null;
create index orth_dead_letter_handler on orth_dead_letter (handler, no) where handler is not null;
create index orth_dead_letter_trace on orth_dead_letter (trace_id, no) where trace_id is not null;
create index orth_dead_letter_of_job on orth_dead_letter (job_id, fingerprint, no) where job_id is not null;

-- How many dead letters of one kind of failure came or went, noted with the dead letters themselves and summed up later.
create table orth_dead_letter_tally (
    kind        text        not null,
    -- The queue or the job.
    owner       integer     not null,
    fingerprint text        not null,
    letters     bigint      not null,
    first_at    timestamptz not null,
    last_at     timestamptz not null
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table orth_dead_letter_group (
    kind        text        not null check (kind in ('MESSAGE', 'RUN')),
    owner       integer     not null,
    fingerprint text        not null,
    letters     bigint      not null,
    first_seen  timestamptz not null,
    last_seen   timestamptz not null,
    primary key (kind, owner, fingerprint)
) with (fillfactor = 70);

create index orth_dead_letter_group_most on orth_dead_letter_group (letters) where letters > 0;
create index orth_dead_letter_group_kind on orth_dead_letter_group (kind, letters) where letters > 0;
create index orth_dead_letter_group_owner on orth_dead_letter_group (kind, owner, letters) where letters > 0;
create index orth_dead_letter_group_print on orth_dead_letter_group (fingerprint);
create index orth_dead_letter_group_gone on orth_dead_letter_group (last_seen) where letters = 0;

insert into orth_dead_letter_group (kind, owner, fingerprint, letters, first_seen, last_seen)
select 'MESSAGE', queue_id, fingerprint, count(*), min(status_at), max(status_at)
  from orth_dead_letter
 group by queue_id, fingerprint;

-- What is done to many at once, part by part.
create table orth_operation (
    id          bigint generated always as identity primary key,
    action      text        not null check (action in ('RETRY', 'DISCARD', 'PURGE')),
    status      text        not null check (status in ('RUNNING', 'PAUSED', 'DONE', 'ABORTED')),
    -- Whom it concerns: those that all of these say, or those numbers.
    kind        text check (kind in ('MESSAGE', 'RUN')),
    -- It may be gone when the operation is over.
    queue_id    integer,
    job_id      integer,
    handler     text,
    trace_id    text,
    fingerprint text,
    error       text,
    died_from   timestamptz,
    died_to     timestamptz,
    numbers     bigint[],
    -- What came later is not concerned.
    last_no     bigint      not null,
    -- How far it has come.
    place       bigint      not null default 0,
    -- How far with those of queues and jobs that had no room when it came to them.
    branches    jsonb       not null default '[]',
    total       bigint      not null,
    done        bigint      not null default 0,
    skipped     bigint      not null default 0,
    failed      bigint      not null default 0,
    last_error  text,
    -- The queue or job that has enough to do for now.
    held_by     text,
    reason      text        not null,
    created_by  text        not null,
    created_at  timestamptz not null default clock_timestamp(),
    updated_at  timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    -- Not to be gone on with before this instant.
    next_at     timestamptz not null default now(),
    constraint a_purge_is_of_a_queue check (action <> 'PURGE' or queue_id is not null),
    constraint what_is_over_has_ended check ((status in ('DONE', 'ABORTED')) = (finished_at is not null))
) with (fillfactor = 70);

create index orth_operation_next on orth_operation (next_at) where status = 'RUNNING';
create index orth_operation_status on orth_operation (status, id);
create index orth_operation_finished on orth_operation (finished_at) where finished_at is not null;
