-- Log lines of the platform itself, from all admins.

create table orth_system_log (
    id        bigint generated always as identity primary key,
    at        timestamptz not null,
    level     text        not null check (level in ('INFO', 'WARN', 'ERROR')),
    message   text        not null,
    worker_id text,
    queue     text,
    node_id   text        not null,
    number    bigint      not null,
    -- A line that is archived again, after a crash or a lost response, is stored once.
    unique (node_id, number)
);

comment on table orth_system_log is 'The archive of the system log.';

-- Lists are newest first under any filter. Retention deletes by the first index.
create index orth_system_log_at on orth_system_log (at, id);
create index orth_system_log_level on orth_system_log (level, at, id);
create index orth_system_log_worker on orth_system_log (worker_id, at, id) where worker_id is not null;
create index orth_system_log_queue on orth_system_log (queue, at, id) where queue is not null;
