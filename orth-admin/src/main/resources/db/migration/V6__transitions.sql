-- The journal of status changes and its relay to sinks.

create table orth_writer (
    id      integer generated always as identity primary key,
    node_id text        not null,
    host    text        not null,
    pid     bigint      not null,
    version text        not null,
    thread  text        not null,
    seen_at timestamptz not null default now(),
    unique (node_id, thread)
);

comment on table orth_writer is 'Threads of admin processes that write transitions, which refer to them by number.';

create table orth_transition (
    entity         text        not null check (entity in ('RUN', 'EXECUTOR', 'JOB', 'PIPELINE_RUN', 'OPERATION', 'ALARM')),
    entity_id      bigint      not null,
    seq            integer     not null,
    from_status    text,
    to_status      text        not null,
    at             timestamptz not null,
    millis_in_from bigint,
    cause          text        not null,
    job_id         integer,
    executor_id    bigint,
    writer_id      integer     not null,
    batch          bigint      not null,
    trace_id       text
) partition by range (at);

comment on table orth_transition is
    'Status changes, each inserted in the transaction that made it; one partition per day, dropped after the retention time.';

create index orth_transition_entity on orth_transition (entity_id);
create index orth_transition_batch on orth_transition (batch);

-- For days without a partition, so that no insert fails.
create table orth_transition_rest partition of orth_transition default;

-- As orth_add_run_day.
create function orth_add_transition_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_transition_' || to_char(day, 'YYYYMMDD');
    low  timestamptz := day::timestamp at time zone 'UTC';
    high timestamptz := (day + 1)::timestamp at time zone 'UTC';
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    lock table orth_transition_rest in access exclusive mode;
    execute format('create table %I (like orth_transition including all)', part);
    execute format('with early as (delete from orth_transition_rest where at >= %L and at < %L returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_transition attach partition %I for values from (%L) to (%L)', part, low, high);
    return true;
end $$;

create table orth_transition_pack (
    batch       bigint      not null,
    entity      text        not null check (entity in ('MESSAGE', 'PIPELINE_TASK')),
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
    trace_ids   text[],
    -- The attempt that each transition belongs to; one element if it is the same for all.
    attempts    integer[]
) partition by range (at);

comment on table orth_transition_pack is
    'Status changes of messages and pipeline tasks: what many of them have in common, with arrays of what differs.';

-- Compressing numbers gains little, and these are written with every claim.
alter table orth_transition_pack
    alter entity_ids set storage external,
    alter seqs set storage external,
    alter millis set storage external,
    alter attempts set storage external;

create index orth_transition_pack_batch on orth_transition_pack (batch);
create index orth_transition_pack_at on orth_transition_pack (at);

create table orth_transition_pack_rest partition of orth_transition_pack default;

-- As orth_add_run_day.
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
    perform orth_know_keys_only(part::regclass);
    execute format('with early as (delete from orth_transition_pack_rest where at >= %L and at < %L returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_transition_pack attach partition %I for values from (%L) to (%L)', part, low, high);
    return true;
end $$;

select orth_know_keys_only('orth_transition_pack_rest');

select orth_add_transition_day(day::date), orth_add_transition_pack_day(day::date)
  from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 2, interval '1 day') day;

-- A transaction that changes an entity after another one has waited for that one's commit before it takes its batch number here. So,
-- among visible rows, an earlier transition of an entity has the lower number. Numbers become visible out of order; positions, which
-- the relay assigns, do not.
create table orth_journal (
    batch      bigint generated always as identity primary key,
    changes    integer     not null,
    written_at timestamptz not null default clock_timestamp(),
    position   bigint,
    -- How many transitions there were up to and including this batch.
    total      bigint
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

comment on table orth_journal is 'Batches of transitions that are not yet relayed: one row for all that one transaction wrote.';

create unique index orth_journal_position on orth_journal (position) where position is not null;
create index orth_journal_fresh on orth_journal (batch) where position is null;

create table orth_journal_head (
    only_one boolean primary key default true check (only_one),
    position bigint  not null,
    total    bigint  not null
);

comment on table orth_journal_head is
    'One row: the last position assigned, and how many transitions there were up to it. Locked by the relay while it assigns positions.';

insert into orth_journal_head (position, total) values (0, 0);

create table orth_sink (
    name          text        primary key,
    position      bigint      not null,
    emitted       bigint      not null default 0,
    dropped       bigint      not null default 0,
    failures      bigint      not null default 0,
    failed_in_row integer     not null default 0,
    parked_since  timestamptz,
    last_error    text,
    emitted_at    timestamptz,
    used_at       timestamptz not null default now()
);

comment on table orth_sink is 'Destinations of the relay, and the position that each has reached.';
