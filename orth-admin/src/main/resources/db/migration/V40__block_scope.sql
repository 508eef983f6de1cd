-- Whether a job's block strategy holds on each executor or over all executors of its group.
alter table orth_job
    add column block_scope text not null default 'EXECUTOR' check (block_scope in ('EXECUTOR', 'CLUSTER'));

create index orth_job_in_turns on orth_job (id) where block_scope = 'CLUSTER';

alter table orth_run
    add column block_scope text    not null default 'EXECUTOR',
    -- The first run of the same fire: shards of a broadcast and retries share it. Null for runs from before this column.
    add column fire_id     bigint,
    -- Not to be sent until the job's earlier fire is over.
    add column awaits_turn boolean not null default false,
    add constraint only_unsent_runs_await_their_turn
        check (not awaits_turn or (status = 'INIT' and executor_id is null and fire_id is not null));
alter table orth_run_history
    add column block_scope text    not null default 'EXECUTOR',
    add column fire_id     bigint,
    add column awaits_turn boolean not null default false;

drop view orth_run_all;
create view orth_run_all as
select * from orth_run
union all
select * from orth_run_history;

create index orth_run_awaits_turn on orth_run (job_id, fire_id) where awaits_turn;

alter table orth_decision
    drop constraint orth_decision_reason_check,
    add constraint orth_decision_reason_check
        check (reason in ('MISSED', 'MERGED', 'CATCH_UP_CAP', 'PAUSED', 'OUTSIDE_WINDOW', 'RESCHEDULED', 'UNREADABLE',
                          'PAUSED_CHILD', 'DELETED_CHILD', 'DISCARDED', 'NO_EXECUTOR'));
