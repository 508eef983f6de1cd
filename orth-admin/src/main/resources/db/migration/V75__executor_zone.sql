-- The id of the time zone that the times in an executor's logs are in. Null for executors that do not send it.
alter table orth_executor add column zone text;
