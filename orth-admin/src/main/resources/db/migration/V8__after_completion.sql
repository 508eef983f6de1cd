-- What follows a run: a retry after a failure, children after a success, and a result that comes late.
alter table orth_job
    add column retries        integer not null default 0 check (retries between 0 and 100),
    add column backoff_ms     bigint  not null default 10000 check (backoff_ms between 0 and 86400000),
    add column backoff_cap_ms bigint  not null default 3600000 check (backoff_cap_ms between 0 and 86400000);

-- Jobs that a success fires. The child may be deleted: that it no longer fires is then said in the ledger.
create table orth_job_child (
    job_id   integer not null references orth_job on delete cascade,
    child_id integer not null,
    position integer not null,
    -- What the child is given: its own parameter, this one, or the message of the parent's result.
    pass     text    not null check (pass in ('NONE', 'FIXED', 'RESULT')),
    param    text,
    primary key (job_id, child_id),
    constraint only_a_fixed_parameter_is_kept check ((pass = 'FIXED') = (param is not null))
);

create index orth_job_child_of on orth_job_child (child_id);

alter table orth_run
    add column attempt    integer not null default 1 check (attempt >= 1),
    -- How many there were to be when this one was made; known of retries only.
    add column attempts   integer,
    add column retry_of   bigint,
    add column parent_run bigint,
    -- Not to be sent before this instant.
    add column not_before timestamptz,
    -- The result that came after the run had been judged lost and its retry had been sent.
    add column late_code  integer,
    add column late_msg   text,
    add column late_at    timestamptz,
    drop constraint orth_run_trigger_type_check,
    add constraint orth_run_trigger_type_check
        check (trigger_type in ('SCHEDULE', 'MISFIRE', 'MANUAL', 'API', 'BACKFILL', 'RETRY', 'CHILD')),
    add constraint a_retry_repeats_a_run
        check ((trigger_type = 'RETRY') = (retry_of is not null) and (retry_of is null) = (attempt = 1)
           and (retry_of is null) = (attempts is null) and attempt <= coalesce(attempts, 1)),
    add constraint a_child_has_a_parent check ((trigger_type = 'CHILD') = (parent_run is not null)),
    add constraint a_late_result_has_its_facts check ((late_code is null) = (late_at is null)),
    add constraint only_a_lost_run_has_a_late_result check (late_at is null or (status = 'FAILED' and cause = 'LOST'));

-- The database's own word that a run is repeated once, and fires each child, or each shard of it, once.
create unique index orth_run_retry on orth_run (retry_of) where retry_of is not null;
create unique index orth_run_child on orth_run (parent_run, job_id, shard_index) where parent_run is not null;

-- Retries and children keep the schedule time of the run they follow, and are no planned runs of it.
drop index orth_run_planned;
create unique index orth_run_planned on orth_run (job_id, schedule_time, shard_index)
    where trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL');

alter table orth_decision
    drop constraint orth_decision_reason_check,
    add constraint orth_decision_reason_check
        check (reason in ('MISSED', 'MERGED', 'CATCH_UP_CAP', 'PAUSED', 'OUTSIDE_WINDOW', 'RESCHEDULED', 'UNREADABLE',
                          'PAUSED_CHILD', 'DELETED_CHILD'));
