-- Runs: one execution of a job each. Unfinished runs are in orth_run, finished ones in orth_run_history.

create table orth_run (
    id                bigint      primary key,
    -- The job as it was when the run was created; of the source only the version.
    job_id            integer     not null,
    job_name          text        not null,
    group_id          integer     not null,
    handler           text,
    param             text        not null,
    trigger_type      text        not null
        check (trigger_type in ('SCHEDULE', 'MISFIRE', 'MANUAL', 'API', 'BACKFILL', 'RETRY', 'CHILD')),
    schedule_time     timestamptz,
    created_at        timestamptz not null default now(),
    status            text        not null,
    seq               integer     not null,
    status_at         timestamptz not null,
    cause             text        not null,
    trigger_code      integer     not null,
    trigger_msg       text,
    handle_code       integer     not null,
    handle_msg        text,
    -- The dispatch intent, committed before each send: executor, address and dispatch count.
    dispatch          integer     not null default 0,
    executor_id       bigint,
    address           text,
    triggered_at      timestamptz,
    finished_at       timestamptz,
    -- While INIT: until when the node that claimed the run may be sending it.
    claim_until       timestamptz not null,
    trace_id          text,
    block_strategy    text        not null default 'SERIAL',
    concurrency       integer     not null default 1,
    timeout_seconds   integer     not null default 0,
    glue_type         text        not null default 'BEAN',
    source_version    integer,
    kill_requested_at timestamptz,
    kill_requested_by text,
    kill_reason       text,
    -- When the kill is next sent or checked.
    kill_next_at      timestamptz,
    -- XXL-JOB executors can kill a job, not a single run, so the request is sent once per run, at this time.
    kill_told_at      timestamptz,
    route_strategy    text        not null default 'ROUND',
    addresses         text        not null default '',
    -- The position for ROUND, given by the claim that fired the job. Null for other runs, whose position is chosen when they are sent.
    turn              bigint,
    shard_index       integer     not null default 0,
    shard_total       integer     not null default 1,
    -- The executor that a broadcast created this run for.
    shard_address     text,
    attempt           integer     not null default 1 check (attempt >= 1),
    -- The maximum when this run was created; set for retries only.
    attempts          integer,
    retry_of          bigint,
    parent_run        bigint,
    -- Not sent before this time.
    not_before        timestamptz,
    -- A result that arrived after the run had been declared lost and its retry had been sent.
    late_code         integer,
    late_msg          text,
    late_at           timestamptz,
    -- -1 claimed by an alarm, 0 undecided, 1 no alarm needed, 2 alarm sent, 3 alarm failed.
    alarm_status      integer     not null default 0,
    -- The first run of a sequence of retries and children.
    root_run          bigint,
    -- How long the unsent run has waited for an executor, as far as that counts, and when that was last updated.
    executor_wait_ms  bigint,
    executor_wait_at  timestamptz,
    -- Committed before a kill is sent; cleared if the executor responds that it was not running the run. While set, a success that
    -- arrives counts as killed.
    kill_sent_at      timestamptz,
    -- What the handler requested for the next attempt.
    non_retryable     boolean,
    retry_after_ms    bigint,
    block_scope       text        not null default 'EXECUTOR',
    -- The first run of the same fire; shards of a broadcast and retries share it.
    fire_id           bigint,
    -- Not sent before the job's previous fire has finished.
    awaits_turn       boolean     not null default false,
    constraint the_status_agrees_with_the_codes check (
        case status
            when 'INIT' then trigger_code = 0 and handle_code = 0
            when 'PENDING' then trigger_code = 200 and handle_code = 0
            when 'SUCCESS' then trigger_code = 200 and handle_code = 200
            when 'TIMEOUT' then trigger_code = 200 and handle_code = 502
            when 'FAILED' then trigger_code = 200 and handle_code not in (0, 200, 502)
            when 'TRIGGER_FAILED' then trigger_code not in (0, 200, 409)
            when 'SKIPPED' then trigger_code = 409 and handle_code = 0
            else false
        end),
    constraint a_planned_run_has_a_time check (schedule_time is not null or trigger_type not in ('SCHEDULE', 'MISFIRE', 'BACKFILL')),
    constraint a_run_by_hand_has_no_planned_time check (schedule_time is null or trigger_type not in ('MANUAL', 'API')),
    constraint a_run_has_a_handler_or_source
        check ((glue_type = 'BEAN') = (handler is not null) and (glue_type = 'BEAN') = (source_version is null)),
    constraint a_kill_has_its_facts
        check ((kill_requested_at is null) = (kill_requested_by is null)
           and (kill_requested_at is null) = (kill_next_at is null)),
    constraint a_shard_is_one_of_its_total check (shard_index >= 0 and shard_index < shard_total),
    constraint a_retry_repeats_a_run
        check ((trigger_type = 'RETRY') = (retry_of is not null) and (retry_of is null) = (attempt = 1)
           and (retry_of is null) = (attempts is null) and attempt <= coalesce(attempts, 1)),
    constraint a_child_has_a_parent check ((trigger_type = 'CHILD') = (parent_run is not null)),
    constraint a_late_result_has_its_facts check ((late_code is null) = (late_at is null)),
    constraint only_a_lost_run_has_a_late_result check (late_at is null or (status = 'FAILED' and cause = 'LOST')),
    constraint alarm_status_is_known check (alarm_status between -1 and 3)
-- A row is updated about three times before it is deleted, each time within its page. Freed pages are kept for reuse: returning them
-- takes a lock that blocks all other transactions.
) with (fillfactor = 35, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create table orth_run_history (
    like orth_run including defaults including constraints,
    primary key (id)
) partition by range (id);

alter table orth_run
    add constraint only_open_runs check (status in ('INIT', 'PENDING')),
    add constraint only_unsent_runs_await_their_turn
        check (not awaits_turn or (status = 'INIT' and executor_id is null and fire_id is not null));

comment on table orth_run is
    'Unfinished runs. The table stays small, and no index contains a column that a status change updates, so a change writes one row and'
    ' no index entry.';
comment on table orth_run_history is 'Finished runs, in one partition per day, dropped after the retention time.';

-- A run has one retry, and fires each child, or each shard of it, once.
create unique index orth_run_retry on orth_run (retry_of) where retry_of is not null;
create unique index orth_run_child on orth_run (parent_run, job_id, shard_index) where parent_run is not null;
create index orth_run_to_kill on orth_run (kill_next_at) where kill_next_at is not null;
-- Only the primary key contains the ids of unfinished runs. After a vacuum that found no rows, the planner takes every index for empty,
-- and an index with the id behind another column for as good a path to a single run as the primary key: it would read all of it.
create index orth_run_job on orth_run (job_id);
-- A fire has one run, or one for each shard. Retries and children keep the schedule time of the run they follow. Created after
-- orth_run_job: of two indexes that seem equal the planner takes the newer one, and this one has fewer entries of a job.
create unique index orth_run_planned on orth_run (job_id, schedule_time, shard_index)
    where trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL');
create index orth_run_awaits_turn on orth_run (job_id, fire_id) where awaits_turn;

create index orth_run_history_job on orth_run_history (job_id, id);
create index orth_run_history_planned on orth_run_history (job_id, schedule_time)
    where trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL');
create index orth_run_history_group on orth_run_history (group_id, id);
create index orth_run_history_unsuccessful on orth_run_history (status, id) where status <> 'SUCCESS';
create index orth_run_history_retry on orth_run_history (retry_of) where retry_of is not null;
create index orth_run_history_child on orth_run_history (parent_run) where parent_run is not null;
create index orth_run_history_lost on orth_run_history (executor_id, finished_at) where cause = 'LOST';
create index orth_run_history_to_alarm on orth_run_history (id)
    where alarm_status = 0 and status in ('FAILED', 'TIMEOUT', 'TRIGGER_FAILED');
create index orth_run_history_in_alarm on orth_run_history (id) where alarm_status = -1;

-- For days without a partition, so that no insert fails.
create table orth_run_history_rest partition of orth_run_history default;

-- Attaching a table takes a weaker lock than creating a partition. Rows of the day that are in the default partition are moved.
create function orth_add_run_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_run_history_' || to_char(day, 'YYYYMMDD');
    low  bigint := orth_first_run_id(day);
    high bigint := orth_first_run_id(day + 1);
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    -- Blocks inserts until the partition is attached: rows of its range in the default partition would make every attempt fail.
    lock table orth_run_history_rest in access exclusive mode;
    execute format('create table %I (like orth_run_history including all)', part);
    execute format('with early as (delete from orth_run_history_rest where id >= %s and id < %s returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_run_history attach partition %I for values from (%s) to (%s)', part, low, high);
    return true;
end $$;

select orth_add_run_day(day::date)
  from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 2, interval '1 day') day;

create view orth_run_all as
select * from orth_run
union all
select * from orth_run_history;

comment on view orth_run_all is 'Unfinished and finished runs.';

create table orth_run_tally (
    hour     timestamptz not null,
    group_id integer     not null,
    status   text        not null,
    runs     integer     not null,
    millis   bigint      not null
);

comment on table orth_run_tally is
    'Counts not yet added to orth_run_report. Inserted with the runs and summed up later, so that no transaction waits for a shared row.';

create table orth_run_report (
    hour     timestamptz not null,
    group_id integer     not null,
    status   text        not null check (status in ('SUCCESS', 'TIMEOUT', 'FAILED', 'TRIGGER_FAILED', 'SKIPPED')),
    runs     bigint      not null,
    millis   bigint      not null,
    primary key (hour, group_id, status)
);

comment on table orth_run_report is 'Finished runs by hour, group and status, with their total duration.';

-- No foreign key: its lock on the job's row would keep the scanner from claiming the job.
create table orth_route_use (
    job_id       integer     not null,
    address      text        not null,
    uses         bigint      not null check (uses > 0),
    last_used_at timestamptz not null,
    primary key (job_id, address)
);

comment on table orth_route_use is
    'For LFU and LRU: when an executor last got a run of a job, and how many it got on that day. Written by all admins in batches.';

create index orth_route_use_at on orth_route_use (last_used_at);
