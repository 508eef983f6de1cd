-- Where the runs of a job go: by which strategy, and to which executors of the group only.
alter table orth_job
    add column route_strategy text   not null default 'ROUND'
        check (route_strategy in ('FIRST', 'LAST', 'ROUND', 'RANDOM', 'CONSISTENT_HASH', 'LFU', 'LRU', 'FAILOVER',
                                  'BUSYOVER', 'SHARDING_BROADCAST')),
    -- Those preferred first, with a space between them; empty for all executors of the group.
    add column addresses      text   not null default '',
    -- How often it has fired, for whose turn it is next.
    add column turn           bigint not null default 0;

-- A run keeps what its job said when it was made.
alter table orth_run
    add column route_strategy text    not null default 'ROUND',
    add column addresses      text    not null default '',
    -- Given by the claim that fired the job; null for other runs, whose turn is found when they are sent.
    add column turn           bigint,
    add column shard_index    integer not null default 0,
    add column shard_total    integer not null default 1,
    -- The executor a broadcast made this run for.
    add column shard_address  text,
    add constraint a_shard_is_one_of_its_total check (shard_index >= 0 and shard_index < shard_total);

-- The database's own word that a due instant has one run, or one for each shard.
drop index orth_run_planned;
create unique index orth_run_planned on orth_run (job_id, schedule_time, shard_index) where schedule_time is not null;

-- How often, on the day of the last time, and when an executor was last given a run of a job. Written by all admins in batches.
-- No foreign key: its lock on the job's row would keep the scanner from claiming the job.
create table orth_route_use (
    job_id       integer     not null,
    address      text        not null,
    uses         bigint      not null check (uses > 0),
    last_used_at timestamptz not null,
    primary key (job_id, address)
);

create index orth_route_use_at on orth_route_use (last_used_at);
