-- A message may carry an entity of another feature, such as a pipeline task: its claim and its end are the entity's as well. The
-- column is null for all other messages and takes no space there.
alter table orth_message add entity_id bigint;
alter table orth_message_history add entity_id bigint;

-- A claim changes the status, but none of these. Indexes over the status itself would take a new entry in every index of the table with
-- each claim.
alter table orth_pipeline_task
    add is_open   boolean not null generated always as (status in ('PENDING', 'CLAIMED', 'RUNNING')) stored,
    add is_failed boolean not null generated always as (status = 'FAILED') stored;

drop index orth_pipeline_task_open;
create index orth_pipeline_task_open on orth_pipeline_task (root_id, stage, id) where is_open;
drop index orth_pipeline_task_failed;
create index orth_pipeline_task_failed on orth_pipeline_task (root_id, stage, id) where is_failed;

-- Tasks come back with their messages; none is looked for by its executor.
drop index orth_pipeline_task_with;
