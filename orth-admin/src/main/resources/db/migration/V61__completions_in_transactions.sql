-- Messages that applications completed inside their own transactions; admins record each as a result. An application needs no further
-- right than: grant insert (queue, message_id, log_id, executor, result) on orth_message_completion.
create table orth_message_completion (
    id         bigint generated always as identity primary key,
    queue      text        not null,
    message_id bigint      not null,
    -- The claim that the message is under, and the instance that made it: what every result is fenced by.
    log_id     bigint      not null,
    executor   text        not null,
    result     text check (octet_length(result) <= 1048576),
    created_at timestamptz not null default clock_timestamp(),
    -- Set if recording failed.
    retry_at   timestamptz,
    constraint one_completion_for_each_claim unique (log_id)
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- The application has committed the completion of this claim: no other result and no rescue counts any more. Null otherwise, so that
-- it takes no space.
alter table orth_message add completed boolean;

-- The fence, checked by the commit itself: a claim that has ended meanwhile fails it, and the application's changes are rolled back.
-- Before the commit the row is not locked, so a slow transaction delays neither results nor rescues. The update, unlike a lock,
-- lets statements that wait for the row see the completion. Runs with the owner's rights; pg_temp comes last, so that no
-- temporary table of the application is taken for one of Orth's.
do $migration$
begin
    execute format($function$
        create function orth_check_completion() returns trigger language plpgsql security definer set search_path = %I, pg_temp as $body$
        begin
            update orth_message m
               set completed = true
             where m.id = new.message_id
               and m.status = 'RUNNING'
               and m.log_id = new.log_id
               and m.executor_id = (select e.id from orth_executor e where e.instance_id = new.executor)
               and m.queue_id = (select q.id from orth_queue q where q.name = new.queue);
            if not found then
                raise exception 'message %% of queue %% is no longer claimed by executor %% under log id %%, so it cannot be completed',
                    new.message_id, new.queue, new.executor, new.log_id using errcode = 'integrity_constraint_violation';
            end if;
            return null;
        end $body$
        $function$, current_schema());
end $migration$;

create constraint trigger orth_message_completion_fence
    after insert on orth_message_completion
    deferrable initially deferred
    for each row execute function orth_check_completion();
