-- Whether the work of an executor with this status is lost, so that others get it: the one question that runs, messages and pipeline
-- tasks ask. An executor that has deregistered hands over its results first. Those that an admin has yet to record, or that are left on
-- its disk, get the grace period (in seconds); what a dead executor had does not wait. Inlined by the planner.
create function orth_work_is_lost(status text, status_at timestamptz, grace double precision) returns boolean
    language sql stable parallel safe as $$
    select orth_is_gone(status) and (status is distinct from 'OFFLINE' or status_at < now() - make_interval(secs => grace))
$$;
