-- Whose hand writes: a thread of an admin process. Changes name it by its number.
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

-- Every change of state, written in the transaction that made it and kept in a partition for each day.
alter table orth_transition rename to orth_transition_before;
alter table orth_transition_before rename constraint orth_transition_pkey to orth_transition_before_pkey;

create table orth_transition (
    entity         text        not null check (entity in ('RUN', 'EXECUTOR', 'JOB')),
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

create index orth_transition_entity on orth_transition (entity_id);
create index orth_transition_batch on orth_transition (batch);

-- For changes of days that have no partition (any more): nothing may fail for the want of one.
create table orth_transition_rest partition of orth_transition default;

create function orth_add_transition_day(day date) returns boolean language plpgsql as $$
declare
    part text := 'orth_transition_' || to_char(day, 'YYYYMMDD');
    low  timestamptz := day::timestamp at time zone 'UTC';
    high timestamptz := (day + 1)::timestamp at time zone 'UTC';
begin
    if to_regclass(part) is not null then
        return false;
    end if;
    -- What is written meanwhile waits: else it could be in the way of the new partition for ever.
    lock table orth_transition_rest in access exclusive mode;
    execute format('create table %I (like orth_transition including all)', part);
    execute format('with early as (delete from orth_transition_rest where at >= %L and at < %L returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_transition attach partition %I for values from (%L) to (%L)', part, low, high);
    return true;
end $$;

select orth_add_transition_day(day::date)
  from generate_series((now() at time zone 'UTC')::date - 14, (now() at time zone 'UTC')::date + 2, interval '1 day') day;

insert into orth_writer (node_id, host, pid, version, thread)
select node_id, coalesce(substring(node_id from '^(.*):[0-9]+:[^:]*$'), node_id),
       coalesce(substring(node_id from ':([0-9]+):[^:]*$')::bigint, 0), '', ''
  from (select distinct node_id from orth_transition_before) nodes;

insert into orth_transition (entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause, job_id, executor_id,
                             writer_id, batch, trace_id)
select t.entity, t.entity_id, t.seq, t.from_status, t.to_status, t.at, t.millis_in_from, t.cause, t.job_id, t.executor_id,
       w.id, 0, t.trace_id
  from orth_transition_before t
  join orth_writer w on w.node_id = t.node_id and w.thread = ''
 where t.at >= now() - interval '14 days';

drop table orth_transition_before;

-- What is still to be relayed: one row for all that was written at once. Whoever changes an entity after another has waited for
-- the other's commit before it takes its number here; so, of what is visible, an entity's earlier change has the lower number.
-- The relay gives each row its position; positions are seen in their order, which numbers are not.
create table orth_journal (
    batch      bigint generated always as identity primary key,
    changes    integer     not null,
    written_at timestamptz not null default clock_timestamp(),
    position   bigint,
    -- How many changes there were up to and with this one.
    total      bigint
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create unique index orth_journal_position on orth_journal (position) where position is not null;
create index orth_journal_fresh on orth_journal (batch) where position is null;

-- The last position given, and how many changes there were up to it. Whoever gives positions holds this row.
create table orth_journal_head (
    only_one boolean primary key default true check (only_one),
    position bigint not null,
    total    bigint not null
);

insert into orth_journal_head (position, total) values (0, 0);

-- Where the relay takes changes to, and how far each has come.
create table orth_sink (
    name          text primary key,
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

-- The run that all began with, of those that others led to.
alter table orth_run add root_run bigint;
alter table orth_run_history add root_run bigint;
drop view orth_run_all;
create view orth_run_all as
select * from orth_run
union all
select * from orth_run_history;

-- Jobs have a state as well: how often it changed, and when.
alter table orth_job
    add seq       integer     not null default 0,
    add status_at timestamptz not null default now();

-- What deleted jobs were, for as long as the changes that name them.
create table orth_deleted_job (
    id         integer primary key,
    name       text        not null,
    handler    text,
    group_id   integer     not null,
    deleted_at timestamptz not null default now()
);
