-- Nodes, leases, the installation, and functions that several features use.

create table orth_node (
    number        smallint    primary key check (number between 0 and 63),
    node_id       text,
    host          text,
    pid           bigint,
    version       text,
    term          bigint      not null default 0,
    started_at    timestamptz,
    expires_at    timestamptz not null default '-infinity',
    -- The latest time, in milliseconds since Orth's epoch, that an id with this number may carry: no id is issued twice.
    id_high_water bigint      not null default 0
);

comment on table orth_node is 'Node numbers. Each admin holds one for as long as it runs; the ids it creates contain the number.';

insert into orth_node (number)
select generate_series(0, 63);

create table orth_lease (
    duty        text        primary key,
    holder      text        not null,
    -- Increases with each holder; fences the previous one.
    term        bigint      not null,
    acquired_at timestamptz not null,
    expires_at  timestamptz not null
);

comment on table orth_lease is 'Duties that one node at a time performs. Only database time decides whether a lease has expired.';

create table orth_installation (
    singleton         boolean     primary key default true check (singleton),
    id                uuid        not null,
    -- Null if the database user may not read it; the oid decides alone then.
    system_identifier text,
    database_oid      bigint      not null,
    copied_from_id    uuid,
    paused_at         timestamptz,
    pause_reason      text check (pause_reason in ('COPIED', 'START_PAUSED')),
    -- Where the embedded database keeps its data: a copy of the files has the same system identifier and oid. Null for an external
    -- database, and until an admin that knows the directory has started.
    data_directory    text,
    constraint a_pause_has_a_reason check ((paused_at is null) = (pause_reason is null))
);

comment on table orth_installation is
    'One row: the installation that this database belongs to, and where the database was when an admin last started. A restored or cloned'
    ' database is recognized by the difference and starts paused.';

-- The first id of a day. Ids contain the milliseconds since Orth's epoch (2026-01-01) above 12 bits of node number and sequence.
create function orth_first_run_id(day date) returns bigint language sql immutable as $$
    select (extract(epoch from day::timestamp)::bigint * 1000 - 1767225600000) << 12
$$;

-- Disables statistics for columns without an index. To find frequent values, ANALYZE reads thousands of rows again whenever a table has
-- grown by a tenth, and each element of an array: seconds of CPU next to the actual work. Statements on these tables find rows by
-- indexed columns only and have a single possible plan, so the planner needs no other statistics.
create function orth_know_keys_only(of_table regclass) returns void language plpgsql as $$
declare
    other name;
begin
    for other in
        select a.attname
          from pg_attribute a
         where a.attrelid = of_table
           and a.attnum > 0
           and not a.attisdropped
           and not exists (select from pg_index i where i.indrelid = of_table and a.attnum = any(i.indkey))
    loop
        execute format('alter table only %s alter %I set statistics 0', of_table, other);
    end loop;
end $$;
