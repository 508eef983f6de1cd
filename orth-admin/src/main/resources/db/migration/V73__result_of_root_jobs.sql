-- A root job's resultMetadata is its failure, or the result and the links that its run was given. Only where V50 created the view: a
-- table of another application may have its name.
do $$
begin
    if not exists (select
                     from pg_trigger t
                     join pg_class c on c.oid = t.tgrelid
                    where c.relnamespace = current_schema()::regnamespace
                      and c.relname = 'hydration_jobs'
                      and c.relkind = 'v'
                      and t.tgname = 'hydration_jobs_cancel') then
        return;
    end if;

    execute $view$
        create or replace view hydration_jobs as
        select id, null::bigint as rootjobid, null::bigint as parentjobid, 'pipeline' as targettype, pipeline as targetid,
               initcap(status) as status, 0 as attempts, null::timestamptz as lockedat, started_at as startedat,
               finished_at as finishedat,
               coalesce(failure, nullif(
                   case when result is null then '{}' else jsonb_build_object('result', result) end
                       || case when links is null then '{}' else jsonb_build_object('links', links) end, '{}')) as resultmetadata, meta,
               created_by as createdby, trace_id as traceid, created_at as createdat, updated_at
          from orth_pipeline_run
        union all
        select t.id, t.root_id, coalesce(t.parent_id, t.root_id), t.target_type, t.target_id, initcap(t.status), t.attempts, t.locked_at,
               t.started_at, t.finished_at, coalesce(t.result, t.error), t.meta, t.created_by, r.trace_id, t.created_at, t.status_at
          from orth_pipeline_task t
          join orth_pipeline_run r on r.id = t.root_id
    $view$;
end $$;
