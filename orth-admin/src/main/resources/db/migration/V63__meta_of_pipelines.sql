-- Meta of runs and of tasks by key and value, in the order of lists. Meta never changes, so these rows are written once, while an index on
-- the column itself would be written again with each status of a task. Kept by triggers, whichever statement adds or deletes.
create table orth_pipeline_run_meta (
    name   text   not null,
    value  text   not null,
    run_id bigint not null,
    primary key (name, value, run_id)
);

create table orth_pipeline_task_meta (
    root_id bigint not null,
    name    text   not null,
    value   text   not null,
    task_id bigint not null,
    primary key (root_id, name, value, task_id)
);

create function orth_add_run_meta() returns trigger language plpgsql as $$
begin
    insert into orth_pipeline_run_meta (name, value, run_id)
    select m.key, m.value, a.id from added a cross join lateral jsonb_each_text(a.meta) m where a.meta <> '{}';
    return null;
end $$;

create function orth_delete_run_meta() returns trigger language plpgsql as $$
begin
    delete from orth_pipeline_run_meta k
     using (select m.key, m.value, d.id from deleted d cross join lateral jsonb_each_text(d.meta) m where d.meta <> '{}') m
     where k.name = m.key
       and k.value = m.value
       and k.run_id = m.id;
    return null;
end $$;

create function orth_add_task_meta() returns trigger language plpgsql as $$
begin
    insert into orth_pipeline_task_meta (root_id, name, value, task_id)
    select a.root_id, m.key, m.value, a.id from added a cross join lateral jsonb_each_text(a.meta) m where a.meta <> '{}';
    return null;
end $$;

create function orth_delete_task_meta() returns trigger language plpgsql as $$
begin
    delete from orth_pipeline_task_meta k
     using (select d.root_id, m.key, m.value, d.id
              from deleted d
             cross join lateral jsonb_each_text(d.meta) m
             where d.meta <> '{}') m
     where k.root_id = m.root_id
       and k.name = m.key
       and k.value = m.value
       and k.task_id = m.id;
    return null;
end $$;

create trigger orth_pipeline_run_meta_add after insert on orth_pipeline_run
    referencing new table as added for each statement execute function orth_add_run_meta();
create trigger orth_pipeline_run_meta_delete after delete on orth_pipeline_run
    referencing old table as deleted for each statement execute function orth_delete_run_meta();
create trigger orth_pipeline_task_meta_add after insert on orth_pipeline_task
    referencing new table as added for each statement execute function orth_add_task_meta();
create trigger orth_pipeline_task_meta_delete after delete on orth_pipeline_task
    referencing old table as deleted for each statement execute function orth_delete_task_meta();

insert into orth_pipeline_run_meta (name, value, run_id)
select m.key, m.value, r.id from orth_pipeline_run r cross join lateral jsonb_each_text(r.meta) m;
insert into orth_pipeline_task_meta (root_id, name, value, task_id)
select t.root_id, m.key, m.value, t.id from orth_pipeline_task t cross join lateral jsonb_each_text(t.meta) m;

-- The language is a key like any other.
drop index orth_pipeline_task_language;
