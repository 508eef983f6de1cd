-- The one question of liveness that runs, messages and pipeline tasks ask: whether an executor with this status is gone, so that its
-- work is taken from it. Null is the status of an executor whose row was deleted. Inlined by the planner.
create function orth_is_gone(status text) returns boolean language sql immutable parallel safe as $$
    select status is distinct from 'ONLINE'
$$;

-- For how long the reply to the last heartbeat let the executor start work. An admin with a shorter timeout than the one that replied
-- must not declare it dead before. 0 if nothing was promised.
alter table orth_executor add column heartbeat_timeout_ms integer not null default 0 check (heartbeat_timeout_ms >= 0);
