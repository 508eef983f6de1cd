-- What an executor says of itself with each beat: written by the same update as the beat.
alter table orth_executor
    add draining       boolean not null default false,
    add cpu            double precision,
    add rss_mb         bigint,
    add heap_used_mb   bigint,
    add heap_total_mb  bigint,
    add running        integer,
    add queued         integer,
    add leaked_threads integer,
    add constraint metrics_are_all_there_or_none
        check (num_nulls(cpu, rss_mb, heap_used_mb, heap_total_mb, running, queued, leaked_threads) in (0, 7));

-- A sample a minute of each executor that is online, kept for a day or so.
create table orth_executor_sample (
    executor_id    bigint           not null references orth_executor on delete cascade,
    at             timestamptz      not null,
    cpu            double precision not null,
    rss_mb         bigint           not null,
    heap_used_mb   bigint           not null,
    heap_total_mb  bigint           not null,
    running        integer          not null,
    queued         integer          not null,
    leaked_threads integer          not null,
    primary key (executor_id, at)
);

create index orth_executor_sample_at on orth_executor_sample (at);

-- Read with every beat: runs of this executor that were judged lost. Only those few are in the index.
create index orth_run_revoked on orth_run (executor_id, finished_at) where cause = 'LOST';
