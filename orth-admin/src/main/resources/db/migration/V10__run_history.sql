-- Runs that are over live apart from those that are not. The table of open runs stays small and nothing in it is indexed that
-- changes, so that a change of state rewrites one row and no index; what is over is kept in a partition for each day and leaves
-- with it.
create table orth_run_history (
    like orth_run including defaults including constraints,
    primary key (id)
) partition by range (id);

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

-- For runs of days that have no partition (any more): nothing may fail for the want of one.
create table orth_run_history_rest partition of orth_run_history default;

-- Ids carry the time they were made at, in milliseconds since Orth's epoch.
create function orth_first_run_id(day date) returns bigint language sql immutable as $$
    select (extract(epoch from day::timestamp)::bigint * 1000 - 1767225600000) << 12
$$;

-- Attached rather than made in place: that needs the weaker lock. What came before its partition was there moves over.
create function orth_add_run_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_run_history_' || to_char(day, 'YYYYMMDD');
    low  bigint := orth_first_run_id(day);
    high bigint := orth_first_run_id(day + 1);
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    -- What ends meanwhile waits: else it could be in the way of the new partition for ever.
    lock table orth_run_history_rest in access exclusive mode;
    execute format('create table %I (like orth_run_history including all)', part);
    execute format('with early as (delete from orth_run_history_rest where id >= %s and id < %s returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_run_history attach partition %I for values from (%s) to (%s)', part, low, high);
    return true;
end $$;

-- What there is so far, by day as far as it goes back, at most as far as runs are kept.
select orth_add_run_day(day::date)
  from (select (now() at time zone 'UTC')::date as today, coalesce(min(id), 9007199254740991) as first_id from orth_run) runs
 cross join lateral generate_series(
           greatest(least(timestamp '2026-01-01' + make_interval(secs => first_id / 4096000.0), today)::date, today - 31),
           today + 2, interval '1 day') day;

with ended as (
    delete from orth_run where status not in ('INIT', 'PENDING') returning *
)
insert into orth_run_history select * from ended;

drop index orth_run_awaited, orth_run_group, orth_run_in_alarm, orth_run_open, orth_run_revoked, orth_run_status,
    orth_run_to_alarm, orth_run_to_kill, orth_run_unsent;
create index orth_run_to_kill on orth_run (kill_next_at) where kill_next_at is not null;
alter table orth_run
    add constraint only_open_runs check (status in ('INIT', 'PENDING')),
    -- A row is written three times before it leaves, each time into its own page.
    -- Its pages are used again at once: giving them back needs a lock that everybody would wait for.
    set (fillfactor = 35, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Each fire of a job leaves a dead row behind.
alter table orth_job
    set (fillfactor = 70, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 10000);

create view orth_run_all as
select * from orth_run
union all
select * from orth_run_history;

-- How runs ended, by hour. What is to be added is noted with the runs themselves and summed up later: nobody waits for a row
-- that all others want to raise as well.
create table orth_run_tally (
    hour     timestamptz not null,
    group_id integer     not null,
    status   text        not null,
    runs     integer     not null,
    millis   bigint      not null
);

create table orth_run_report (
    hour     timestamptz not null,
    group_id integer     not null,
    status   text        not null check (status in ('SUCCESS', 'TIMEOUT', 'FAILED', 'TRIGGER_FAILED')),
    runs     bigint      not null,
    millis   bigint      not null,
    primary key (hour, group_id, status)
);

insert into orth_run_report (hour, group_id, status, runs, millis)
select date_trunc('hour', finished_at, 'UTC'), group_id, status, count(*),
       coalesce(sum(extract(epoch from finished_at - triggered_at) * 1000), 0)::bigint
  from orth_run_history
 where finished_at is not null
 group by 1, 2, 3;

-- Nobody looks changes up by time alone, and every change maintained it.
drop index orth_transition_at;
