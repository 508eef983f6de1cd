-- Only the primary key knows the ids of open runs. After a vacuum that found none the planner takes each index for empty, and
-- one that has the id behind another column for as good a way to a single run as the primary key: all of it would be read.
drop index orth_run_job;
create index orth_run_job on orth_run (job_id);

-- Of two indexes that seem equal the newer one is taken, and the planned ones of a job are fewer than all of it.
drop index orth_run_planned;
create unique index orth_run_planned on orth_run (job_id, schedule_time, shard_index)
    where trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL');
