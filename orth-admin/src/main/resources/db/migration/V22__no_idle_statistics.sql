-- To know what is frequent in a column, PostgreSQL reads thousands of rows again whenever a table has grown by a tenth; in columns of
-- lists, each of their elements. For changes of state that took seconds of a core, beside the work itself. Messages are found by what
-- is indexed, and their statements leave no choice of ways: nothing else need be known of them.
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

select orth_know_keys_only('orth_message');

select orth_know_keys_only(inhrelid)
  from pg_inherits
 where inhparent in ('orth_message_history'::regclass, 'orth_transition_pack'::regclass);

create or replace function orth_add_message_day(day date) returns boolean language plpgsql as $$
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
    perform orth_know_keys_only(part::regclass);
    execute format('with early as (delete from orth_message_history_rest where id >= %s and id < %s returning *)
                    insert into %I select * from early', low, high, part);
    execute format('alter table orth_message_history attach partition %I for values from (%s) to (%s)', part, low, high);
    return true;
end $$;

create or replace function orth_add_transition_pack_day(day date) returns boolean language plpgsql as $$
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
