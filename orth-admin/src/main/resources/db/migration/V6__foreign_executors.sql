-- Executors that speak only XXL-JOB's wire: one row per group and address, as they do not tell one boot from the next.
alter table orth_executor
    add column kind text not null default 'ORTH' check (kind in ('ORTH', 'XXL_JOB'));

create unique index orth_executor_foreign on orth_executor (group_id, address) where kind = 'XXL_JOB';

-- Their job can be ended, not a single run, so they are told once per run; when, is kept here.
alter table orth_run
    add column kill_told_at timestamptz;
