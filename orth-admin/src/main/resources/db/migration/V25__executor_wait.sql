-- How long an unsent run has waited for an executor that takes it, as far as that counts, and when that was last added to.
alter table orth_run
    add executor_wait_ms bigint,
    add executor_wait_at timestamptz;
alter table orth_run_history
    add executor_wait_ms bigint,
    add executor_wait_at timestamptz;
drop view orth_run_all;
create view orth_run_all as
select * from orth_run
union all
select * from orth_run_history;

-- When an admin last could not reach the executor, although it sends heartbeats.
alter table orth_executor add unreachable_at timestamptz;
