-- Which claim of a strand is the later one: what an admin hears late must not replace it.
alter table orth_queue_worker add column turn bigint not null default 0;
