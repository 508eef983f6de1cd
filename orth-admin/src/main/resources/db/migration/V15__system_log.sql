-- What the platform itself had to say, on all admins.
create table orth_system_log (
    id        bigint      generated always as identity primary key,
    at        timestamptz not null,
    level     text        not null check (level in ('INFO', 'WARN', 'ERROR')),
    message   text        not null,
    worker_id text,
    queue     text,
    node_id   text        not null,
    number    bigint      not null,
    -- A line that is archived again, after a crash or an answer that was lost, is the same line.
    unique (node_id, number)
);

-- Newest first, whatever it is filtered by; the oldest are removed by the first of them.
create index orth_system_log_at on orth_system_log (at, id);
create index orth_system_log_level on orth_system_log (level, at, id);
create index orth_system_log_worker on orth_system_log (worker_id, at, id) where worker_id is not null;
create index orth_system_log_queue on orth_system_log (queue, at, id) where queue is not null;
