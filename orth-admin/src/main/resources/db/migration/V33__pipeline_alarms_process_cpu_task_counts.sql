-- Failed runs of pipelines that an alarm is about, in words of the time when they failed: retention may delete them before the alarm is sent.
create table orth_alarm_pipeline_run (
    alarm_id  bigint      not null references orth_alarm on delete cascade,
    run_id    bigint      not null,
    pipeline  text        not null,
    message   text        not null,
    failed_at timestamptz not null,
    primary key (alarm_id, run_id)
);

-- The share of the host's cores that the process of an executor used, from 0 to 1; null where it does not say. cpu is its host's load.
alter table orth_executor add process_cpu double precision;
alter table orth_executor_sample add process_cpu double precision;

-- How many tasks of a stage were created so far; equal to expected once that is known.
alter table orth_pipeline_progress add created bigint not null default 0;
update orth_pipeline_progress set created = coalesce(expected, 0);
