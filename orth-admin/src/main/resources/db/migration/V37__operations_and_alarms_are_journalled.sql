-- Bulk operations and alarms change their status as everything else does: counted, dated and journalled.
alter table orth_transition drop constraint orth_transition_entity_check1;
alter table orth_transition
    add constraint orth_transition_entity_check1
        check (entity in ('RUN', 'EXECUTOR', 'JOB', 'PIPELINE_RUN', 'OPERATION', 'ALARM'));

alter table orth_operation
    add column seq       integer     not null default 1,
    add column status_at timestamptz not null default clock_timestamp();

alter table orth_alarm
    add column seq       integer     not null default 1,
    add column status_at timestamptz not null default clock_timestamp();
