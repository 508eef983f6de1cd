-- Claims of messages that were taken from executors declared dead, beside those of cancelled pipeline tasks: one table, listed by
-- the replies to heartbeats until the executor acknowledges them.
alter table orth_pipeline_revoked rename to orth_revocation;
alter table orth_revocation rename column at to revoked_at;
alter table orth_revocation rename constraint orth_pipeline_revoked_pkey to orth_revocation_pkey;

drop index orth_pipeline_revoked_of;
create index orth_revocation_executor on orth_revocation (executor_id, revoked_at, log_id);
alter index orth_pipeline_revoked_at rename to orth_revocation_age;
