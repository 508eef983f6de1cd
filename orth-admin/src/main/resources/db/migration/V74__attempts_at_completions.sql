-- How often recording it has failed.
alter table orth_message_completion add column attempts integer not null default 0;
