-- Queues, their messages, limits, workers and statistics, and the inbox of transactional pushes.

create table orth_queue (
    id                 integer generated always as identity primary key,
    name               text        not null unique check (name ~ '^[A-Za-z0-9._:-]{1,100}$'),
    -- The group whose executors work on the queue: the first that polls it.
    group_id           integer references orth_executor_group (id),
    paused             boolean     not null default false,
    max_attempts       integer     not null default 3 check (max_attempts between 1 and 100),
    backoff_initial_ms bigint      not null default 1000 check (backoff_initial_ms >= 0),
    backoff_multiplier float8      not null default 2 check (backoff_multiplier >= 1),
    backoff_max_ms     bigint      not null default 3600000 check (backoff_max_ms >= backoff_initial_ms),
    backoff_jitter     float8      not null default 0 check (backoff_jitter between 0 and 1),
    -- Messages started per second, and running messages, in the whole cluster. Null for no limit.
    rate_limit         integer check (rate_limit > 0),
    concurrency_limit  integer check (concurrency_limit > 0),
    version            integer     not null default 1,
    created_at         timestamptz not null default now()
);

comment on table orth_queue is 'Queues and their settings.';

create table orth_queue_limit (
    queue_id  integer     primary key references orth_queue (id) on delete cascade,
    running   bigint      not null default 0,
    tokens    float8      not null default 0,
    tokens_at timestamptz not null default now()
) with (fillfactor = 50);

comment on table orth_queue_limit is 'How much of the limits of a queue is used. Read for queues with a limit only.';

-- No foreign key to orth_queue: checking it took as long as writing the message, also for each claim. A transaction that inserts messages
-- holds the queue's row, and deleting a queue looks for messages while no transaction can insert any.
create table orth_message (
    id                 bigint      primary key,
    queue_id           integer     not null,
    lane               smallint    not null check (lane between 0 and 3),
    due_at             timestamptz not null,
    -- Decides the order within a group: when the message was pushed or revived.
    queued_at          timestamptz not null,
    -- An earlier message of its group is unfinished.
    blocked            boolean     not null default false,
    status             text        not null check (status in ('WAITING', 'RUNNING')),
    seq                integer     not null,
    status_at          timestamptz not null,
    past               timestamptz[],
    attempt            integer     not null check (attempt between 0 and max_attempts),
    max_attempts       integer     not null,
    pushed_at          timestamptz not null,
    executor_id        bigint,
    log_id             bigint,
    -- The message's own backoff; null if the queue's applies.
    backoff_initial_ms bigint,
    backoff_multiplier float8,
    backoff_max_ms     bigint,
    backoff_jitter     float8,
    unique_key         text,
    group_key          text,
    trace_id           text,
    size               integer     not null,
    metadata           text,
    -- The failures of earlier attempts, oldest first.
    failures           jsonb,
    payload            text        not null,
    -- An entity of another feature that the message carries, such as a pipeline task: claimed and completed with the message. Null for
    -- most messages, and takes no space then.
    entity_id          bigint,
    -- The application has committed the completion of this claim: no other result and no rescue counts any more. Null otherwise.
    completed          boolean,
    constraint running_somewhere check ((status = 'RUNNING') = (executor_id is not null and log_id is not null))
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

comment on table orth_message is
    'Unfinished messages. No index contains a column that a claim updates, so a claim writes one row and no index entry.';
comment on column orth_message.past is 'when it changed before, but for pushed_at';

create index orth_message_due on orth_message (queue_id, lane, due_at, id) where not blocked;
-- size >= 0 is always true. Only list queries repeat the condition, so only they can use this index: a claim that used it would read all
-- waiting messages.
create index orth_message_list on orth_message (queue_id, id) where size >= 0;
create index orth_message_of_group on orth_message (queue_id, group_key, queued_at, id) where group_key is not null;

select orth_know_keys_only('orth_message');

create table orth_message_group (
    queue_id integer not null references orth_queue (id) on delete cascade,
    key      text    not null,
    -- Unfinished messages.
    open     integer not null check (open >= 0),
    primary key (queue_id, key)
) with (fillfactor = 70);

comment on table orth_message_group is
    'Groups of messages that run one at a time, while there are any. A transaction that adds or finishes a message of a group locks its row.';

create table orth_message_key (
    queue_id   integer     not null references orth_queue (id) on delete cascade,
    key        text        not null,
    message_id bigint      not null,
    -- Infinity: until the message has finished.
    until      timestamptz not null,
    primary key (queue_id, key)
);

comment on table orth_message_key is 'Unique keys in use, and until when.';

create index orth_message_key_until on orth_message_key (until) where until < 'infinity';

create table orth_message_history (
    id           bigint      not null,
    queue_id     integer     not null,
    lane         smallint    not null,
    status       text        not null check (status in ('DONE', 'DISCARDED')),
    seq          integer     not null,
    past         timestamptz[],
    attempt      integer     not null,
    max_attempts integer     not null,
    due_at       timestamptz not null,
    pushed_at    timestamptz not null,
    claimed_at   timestamptz,
    finished_at  timestamptz not null,
    executor_id  bigint,
    log_id       bigint,
    run_millis   bigint,
    unique_key   text,
    group_key    text,
    trace_id     text,
    metadata     text,
    failures     jsonb,
    result       text,
    payload      text        not null,
    entity_id    bigint,
    primary key (queue_id, id)
) partition by range (id);

comment on table orth_message_history is
    'Messages that were completed or discarded, in one partition for each day of their push, dropped after the retention time.';
comment on column orth_message_history.past is 'when it changed before, but for pushed_at and claimed_at';

-- Few messages are discarded among many that are completed.
create index orth_message_history_discarded on orth_message_history (queue_id, id) where status = 'DISCARDED';

-- For days without a partition, so that no insert fails.
create table orth_message_history_rest partition of orth_message_history default;

select orth_know_keys_only('orth_message_history_rest');

-- As orth_add_run_day.
create function orth_add_message_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_message_history_' || to_char(day, 'YYYYMMDD');
    low  bigint := orth_first_run_id(day);
    high bigint := orth_first_run_id(day + 1);
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    lock table orth_message_history_rest in access exclusive mode;
    execute format('create table %I (like orth_message_history including all)', part);
    perform orth_know_keys_only(part::regclass);
    execute format('with early as (delete from orth_message_history_rest where id >= %s and id < %s returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_message_history attach partition %I for values from (%s) to (%s)', part, low, high);
    return true;
end $$;

select orth_add_message_day(day::date)
  from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 2, interval '1 day') day;

create table orth_queue_worker (
    queue_id    integer     not null references orth_queue (id) on delete cascade,
    executor_id bigint      not null,
    strand      smallint    not null,
    claim       text        not null,
    message_ids bigint[]    not null,
    slots       integer     not null,
    held        integer     not null,
    seen_at     timestamptz not null,
    -- Orders the claims of a strand: a claim that an admin receives late must not replace a later one.
    turn        bigint      not null default 0,
    -- The claim that was last given messages. An executor that got none since has not received them.
    given_turn  bigint      not null default 0,
    primary key (queue_id, executor_id, strand)
) with (fillfactor = 50);

comment on table orth_queue_worker is
    'Executors that poll a queue, and the messages that each was given last: the same claim gets them again if its response was lost.';

-- Compressing numbers gains little, and these are written with every claim.
alter table orth_queue_worker alter message_ids set storage external;

create index orth_queue_worker_executor on orth_queue_worker (executor_id);

create table orth_revocation (
    log_id      bigint      primary key,
    executor_id bigint      not null,
    revoked_at  timestamptz not null
);

comment on table orth_revocation is
    'Claims of messages and pipeline tasks that were taken from their executors. Listed in responses to heartbeats until acknowledged.';

create index orth_revocation_executor on orth_revocation (executor_id, revoked_at, log_id);
create index orth_revocation_age on orth_revocation (revoked_at);

create table orth_queue_tally (
    queue_id    integer     not null,
    minute      timestamptz not null,
    pushed      integer     not null,
    claimed     integer     not null,
    put_back    integer     not null,
    done        integer     not null,
    failed      integer     not null,
    dead        integer     not null,
    -- Discarded while waiting, and as dead letters.
    discarded   integer     not null,
    dropped     integer     not null,
    revived     integer     not null,
    wait_millis bigint      not null,
    run_millis  bigint      not null
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

comment on table orth_queue_tally is
    'Counts not yet added to orth_queue_report and orth_queue_total. Inserted with the messages and summed up later, so that no transaction'
    ' waits for a shared row.';

create table orth_queue_report (
    queue_id    integer     not null references orth_queue (id) on delete cascade,
    minute      timestamptz not null,
    pushed      bigint      not null,
    claimed     bigint      not null,
    put_back    bigint      not null,
    done        bigint      not null,
    failed      bigint      not null,
    dead        bigint      not null,
    discarded   bigint      not null,
    dropped     bigint      not null,
    revived     bigint      not null,
    wait_millis bigint      not null,
    run_millis  bigint      not null,
    primary key (queue_id, minute)
);

comment on table orth_queue_report is 'What happened to the messages of a queue, by minute.';

create index orth_queue_report_minute on orth_queue_report (minute);

create table orth_queue_total (
    queue_id integer primary key references orth_queue (id) on delete cascade,
    open     bigint  not null,
    running  bigint  not null,
    dead     bigint  not null
) with (fillfactor = 50);

comment on table orth_queue_total is 'How many messages of a queue are unfinished, running, and dead letters.';

create table orth_push (
    id          text        primary key,
    queue_id    integer references orth_queue (id) on delete cascade,
    at          timestamptz not null default now(),
    -- For a trigger: the id of its run, or of the first run of a broadcast.
    message_ids bigint[]    not null default '{}',
    -- Positions, from 1, of messages that were not added because their unique key was in use.
    duplicates  integer[]   not null default '{}',
    job_id      integer references orth_job (id) on delete cascade,
    constraint orth_push_subject check (num_nonnulls(queue_id, job_id) = 1)
) with (fillfactor = 50);

comment on table orth_push is 'Idempotency keys of pushes and triggers, with the response that the same key gets again.';

create index orth_push_at on orth_push (at);
create index orth_push_job on orth_push (job_id) where job_id is not null;

create table orth_message_inbox (
    id         bigint generated always as identity primary key,
    queue      text        not null check (queue ~ '^[A-Za-z0-9._:-]{1,100}$'),
    -- An array of messages in the format of executors' pushes (see the reference of the wire), small enough to be read in one piece.
    messages   jsonb       not null check (jsonb_typeof(messages) = 'array' and pg_column_size(messages) <= 16777216),
    created_at timestamptz not null default clock_timestamp(),
    -- Set, with the reason, if the messages could not be pushed and an operator has to decide.
    parked_at  timestamptz,
    error      text,
    -- Lets an admin take as much as fits into one step without reading all that waits.
    size       integer generated always as (octet_length(messages::text)) stored,
    constraint parked_for_a_reason check ((parked_at is null) = (error is null))
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

comment on table orth_message_inbox is
    'Messages that applications push in their own transactions; admins move them to their queues. An application needs no further right'
    ' than: grant insert (queue, messages) on orth_message_inbox.';

create index orth_message_inbox_waiting on orth_message_inbox (queue, id) where parked_at is null;
create index orth_message_inbox_parked on orth_message_inbox (id) where parked_at is not null;

create table orth_message_completion (
    id         bigint generated always as identity primary key,
    queue      text        not null,
    message_id bigint      not null,
    -- The claim, and the executor instance that made it: the fence of every result.
    log_id     bigint      not null,
    executor   text        not null,
    result     text check (octet_length(result) <= 1048576),
    created_at timestamptz not null default clock_timestamp(),
    -- Set if recording failed.
    retry_at   timestamptz,
    -- How often recording has failed.
    attempts   integer     not null default 0,
    constraint one_completion_for_each_claim unique (log_id)
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

comment on table orth_message_completion is
    'Messages that applications completed in their own transactions; admins record each as a result. An application needs no further right'
    ' than: grant insert (queue, message_id, log_id, executor, result) on orth_message_completion.';

-- The fence, checked at the commit: if the claim has ended, the commit fails and the application's changes are rolled back. The row is
-- not locked before the commit, so a slow transaction delays neither results nor rescues. An update instead of a lock, because
-- statements that wait for the row then see the completion. Runs with the owner's rights; pg_temp is last, so that no temporary table
-- of the application is taken for one of Orth's.
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
