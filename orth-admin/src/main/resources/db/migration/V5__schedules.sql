-- Schedules: a fixed delay, a single instant, and a window around the planned ones.
alter table orth_job
    add column fire_at     timestamptz,
    add column starts_at   timestamptz,
    add column ends_at     timestamptz,
    -- The run whose end a fixed delay waits for; meanwhile the job is not due.
    add column awaited_run bigint,
    -- How many missed instants have been fired since the job was last on time.
    add column caught_up   integer not null default 0 check (caught_up >= 0),
    drop constraint orth_job_schedule_type_check,
    drop constraint a_fixed_rate_has_an_interval,
    add constraint orth_job_schedule_type_check
        check (schedule_type in ('CRON', 'FIXED_RATE', 'FIXED_DELAY', 'ONE_SHOT', 'NONE')),
    add constraint a_repeated_job_has_an_interval
        check ((schedule_type in ('FIXED_RATE', 'FIXED_DELAY')) = (interval_ms is not null)),
    add constraint a_one_shot_has_its_instant check ((schedule_type = 'ONE_SHOT') = (fire_at is not null)),
    add constraint only_what_repeats_has_a_window
        check ((starts_at is null and ends_at is null) or schedule_type not in ('ONE_SHOT', 'NONE')),
    add constraint a_window_ends_after_its_start check (ends_at > starts_at),
    add constraint a_job_that_awaits_a_run_is_not_due check (awaited_run is null or next_fire_at is null);

create index orth_job_awaiting on orth_job (awaited_run) where awaited_run is not null;

-- A backfilled run stands for a planned instant too.
alter table orth_run
    drop constraint orth_run_trigger_type_check,
    drop constraint a_planned_run_has_a_time,
    add constraint orth_run_trigger_type_check
        check (trigger_type in ('SCHEDULE', 'MISFIRE', 'MANUAL', 'API', 'BACKFILL')),
    add constraint a_planned_run_has_a_time
        check (schedule_time is not null or trigger_type not in ('SCHEDULE', 'MISFIRE', 'BACKFILL')),
    add constraint a_run_by_hand_has_no_planned_time
        check (schedule_time is null or trigger_type not in ('MANUAL', 'API'));

-- Planned fires that did not become runs, as stretches: one row from the first to the last of them.
create table orth_decision (
    id         bigint generated always as identity primary key,
    job_id     integer     not null references orth_job on delete cascade,
    reason     text        not null check (reason in ('MISSED', 'MERGED', 'CATCH_UP_CAP', 'PAUSED', 'OUTSIDE_WINDOW',
                                                      'RESCHEDULED', 'UNREADABLE')),
    first_at   timestamptz not null,
    -- Null while the stretch goes on.
    last_at    timestamptz,
    -- Null while it goes on and where the fires cannot be counted.
    fires      integer check (fires > 0),
    -- There were more than the counted ones.
    more       boolean     not null default false,
    decided_at timestamptz not null default now(),
    constraint a_stretch_is_in_order check (last_at >= first_at)
);

create index orth_decision_job on orth_decision (job_id, id);
create index orth_decision_reason on orth_decision (job_id, reason, id);
create index orth_decision_ended on orth_decision (last_at) where last_at is not null;
create unique index orth_decision_open on orth_decision (job_id) where last_at is null;
