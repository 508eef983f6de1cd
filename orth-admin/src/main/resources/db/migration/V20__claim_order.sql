-- Which claim of a strand is the later one: what an admin hears late must not replace it. And which of them was given what is noted:
-- an executor that got nothing since then never heard of it.
alter table orth_queue_worker
    add column turn       bigint not null default 0,
    add column given_turn bigint not null default 0;
