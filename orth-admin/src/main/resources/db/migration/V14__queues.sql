-- Queues: messages that producers put in and executors ask for.
create table orth_queue (
    id                 integer generated always as identity primary key,
    name               text        not null unique check (name ~ '^[A-Za-z0-9._:-]{1,100}$'),
    -- Whose executors work on it; the first that asks for its messages.
    group_id           integer references orth_executor_group (id),
    paused             boolean     not null default false,
    max_attempts       integer     not null default 3 check (max_attempts between 1 and 100),
    retry_first_millis bigint      not null default 1000 check (retry_first_millis >= 0),
    retry_factor       float8      not null default 2 check (retry_factor >= 1),
    retry_most_millis  bigint      not null default 3600000 check (retry_most_millis >= retry_first_millis),
    -- Messages begun in a second, and messages at once, in the whole cluster; null for as many as there are workers for.
    rate_limit         integer check (rate_limit > 0),
    concurrency_limit  integer check (concurrency_limit > 0),
    version            integer     not null default 1,
    created_at         timestamptz not null default now()
);

-- What limits have used up; looked at for queues that have one.
create table orth_queue_limit (
    queue_id  integer primary key references orth_queue (id) on delete cascade,
    running   bigint      not null default 0,
    tokens    float8      not null default 0,
    tokens_at timestamptz not null default now()
) with (fillfactor = 50);

-- Messages that are not over. Nothing is indexed that changes when one is claimed, so that a claim rewrites one row and no index.
create table orth_message (
    id                 bigint primary key,
    queue_id           integer     not null references orth_queue (id),
    lane               smallint    not null check (lane between 0 and 3),
    due_at             timestamptz not null,
    -- When it came to its place behind others: when it was pushed, or given another chance.
    queued_at          timestamptz not null,
    -- Another message of its group comes first.
    blocked            boolean     not null default false,
    status             text        not null check (status in ('WAITING', 'RUNNING')),
    seq                integer     not null,
    status_at          timestamptz not null,
    -- When it changed before that.
    past               timestamptz[],
    attempt            integer     not null check (attempt between 0 and max_attempts),
    max_attempts       integer     not null,
    pushed_at          timestamptz not null,
    executor_id        bigint,
    log_id             bigint,
    retry_first_millis bigint,
    retry_factor       float8,
    retry_most_millis  bigint,
    unique_key         text,
    group_key          text,
    trace_id           text,
    size               integer     not null,
    metadata           text,
    -- What became of earlier attempts, oldest first.
    failures           jsonb,
    payload            text        not null,
    constraint running_somewhere check ((status = 'RUNNING') = (executor_id is not null and log_id is not null))
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create index orth_message_due on orth_message (queue_id, lane, due_at, id) where not blocked;
create index orth_message_list on orth_message (queue_id, id);
create index orth_message_of_group on orth_message (queue_id, group_key, queued_at, id) where group_key is not null;

-- Groups of messages that are done one at a time, while there are any: how many. Whoever adds or ends one holds its row.
create table orth_message_group (
    queue_id integer not null references orth_queue (id) on delete cascade,
    key      text    not null,
    open     integer not null check (open >= 0),
    primary key (queue_id, key)
) with (fillfactor = 70);

-- Keys that are taken, and until when; for ever means until the message has ended.
create table orth_message_key (
    queue_id   integer     not null references orth_queue (id) on delete cascade,
    key        text        not null,
    message_id bigint      not null,
    until      timestamptz not null,
    primary key (queue_id, key)
);

create index orth_message_key_until on orth_message_key (until) where until < 'infinity';

-- Messages that are over and were not given up, by the day they were pushed.
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
    primary key (queue_id, id)
) partition by range (id);

-- For messages of days that have no partition (any more): nothing may fail for the want of one.
create table orth_message_history_rest partition of orth_message_history default;

create function orth_add_message_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_message_history_' || to_char(day, 'YYYYMMDD');
    low  bigint := orth_first_run_id(day);
    high bigint := orth_first_run_id(day + 1);
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    -- What ends meanwhile waits: else it could be in the way of the new partition for ever.
    lock table orth_message_history_rest in access exclusive mode;
    execute format('create table %I (like orth_message_history including all)', part);
    execute format('with early as (delete from orth_message_history_rest where id >= %s and id < %s returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_message_history attach partition %I for values from (%s) to (%s)', part, low, high);
    return true;
end $$;

select orth_add_message_day(day::date)
  from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 2, interval '1 day') day;

-- What was given up: all of it, for as long as it is kept. Numbered in the order it came, which lists go by.
create table orth_dead_letter (
    no                 bigint generated always as identity primary key,
    id                 bigint      not null unique,
    queue_id           integer     not null references orth_queue (id),
    lane               smallint    not null,
    seq                integer     not null,
    status_at          timestamptz not null,
    past               timestamptz[],
    attempt            integer     not null,
    max_attempts       integer     not null,
    pushed_at          timestamptz not null,
    executor_id        bigint,
    log_id             bigint,
    retry_first_millis bigint,
    retry_factor       float8,
    retry_most_millis  bigint,
    unique_key         text,
    group_key          text,
    trace_id           text,
    size               integer     not null,
    metadata           text,
    failures           jsonb       not null,
    cause              text        not null,
    error              text        not null,
    stack              text,
    fingerprint        text        not null,
    payload            text        not null
);

create index orth_dead_letter_queue on orth_dead_letter (queue_id, no);
create index orth_dead_letter_fingerprint on orth_dead_letter (fingerprint, no);
create index orth_dead_letter_at on orth_dead_letter (status_at);
create index orth_dead_letter_words on orth_dead_letter using gin (to_tsvector('simple', error));

-- Who asks for the messages of which queue, and what each was given last, should the answer get lost.
create table orth_queue_worker (
    queue_id    integer     not null references orth_queue (id) on delete cascade,
    executor_id bigint      not null,
    strand      smallint    not null,
    claim       text        not null,
    message_ids bigint[]    not null,
    slots       integer     not null,
    held        integer     not null,
    seen_at     timestamptz not null,
    primary key (queue_id, executor_id, strand)
) with (fillfactor = 50);

create index orth_queue_worker_executor on orth_queue_worker (executor_id);

-- What happened to messages, noted with the messages themselves and summed up later: nobody waits for a row that all others want
-- to raise as well.
create table orth_queue_tally (
    queue_id    integer     not null,
    minute      timestamptz not null,
    pushed      integer     not null,
    claimed     integer     not null,
    put_back    integer     not null,
    done        integer     not null,
    failed      integer     not null,
    dead        integer     not null,
    -- Before, and after they were given up.
    discarded   integer     not null,
    dropped     integer     not null,
    revived     integer     not null,
    wait_millis bigint      not null,
    run_millis  bigint      not null
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

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

create index orth_queue_report_minute on orth_queue_report (minute);

-- How many messages each queue has: that are not over, of them those with an executor, and those that were given up.
create table orth_queue_total (
    queue_id integer primary key references orth_queue (id) on delete cascade,
    open     bigint not null,
    running  bigint not null,
    dead     bigint not null
) with (fillfactor = 50);

-- Changes of state of which many are alike: what they have in common once, and a list of those that changed.
create table orth_transition_pack (
    batch       bigint      not null,
    entity      text        not null check (entity = 'MESSAGE'),
    from_status text,
    to_status   text        not null,
    at          timestamptz not null,
    cause       text        not null,
    queue       text,
    executor_id bigint,
    writer_id   integer     not null,
    entity_ids  bigint[]    not null,
    seqs        integer[]   not null,
    millis      bigint[],
    trace_ids   text[]
) partition by range (at);

alter table orth_transition_pack
    alter entity_ids set storage external,
    alter seqs set storage external,
    alter millis set storage external;

create index orth_transition_pack_batch on orth_transition_pack (batch);
create index orth_transition_pack_at on orth_transition_pack (at);

create table orth_transition_pack_rest partition of orth_transition_pack default;

create function orth_add_transition_pack_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_transition_pack_' || to_char(day, 'YYYYMMDD');
    low  timestamptz := day::timestamp at time zone 'UTC';
    high timestamptz := (day + 1)::timestamp at time zone 'UTC';
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    lock table orth_transition_pack_rest in access exclusive mode;
    execute format('create table %I (like orth_transition_pack including all)', part);
    execute format('with early as (delete from orth_transition_pack_rest where at >= %L and at < %L returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_transition_pack attach partition %I for values from (%L) to (%L)', part, low, high);
    return true;
end $$;

select orth_add_transition_pack_day(day::date)
  from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 2, interval '1 day') day;
