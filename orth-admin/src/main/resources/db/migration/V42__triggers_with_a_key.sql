-- A trigger of a job may have an idempotency key as a push has: message_ids is then the id of its run, of a broadcast the first.
alter table orth_push
    alter column queue_id drop not null,
    add column job_id integer references orth_job (id) on delete cascade,
    add constraint orth_push_subject check (num_nonnulls(queue_id, job_id) = 1);

create index orth_push_job on orth_push (job_id) where job_id is not null;
