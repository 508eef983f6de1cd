-- The same rule in a form whose negation the planner knows as status = 'ONLINE', so that indexes with the status are used for it. Those
-- that are online are few among all that are kept.
create or replace function orth_is_gone(status text) returns boolean language sql immutable parallel safe as $$
    select status is null or status <> 'ONLINE'
$$;
