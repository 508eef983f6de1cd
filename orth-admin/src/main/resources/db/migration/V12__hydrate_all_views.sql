-- The tables of hydrateAll as views, with its names, columns and status words, for the queries of its runbook. PostgreSQL folds unquoted
-- names to lower case, so rootJobId in a query is the column rootjobid here.

create function orth_reject_write() returns trigger language plpgsql as $$
begin
    raise exception '% is a read-only view', tg_table_name
        using hint = 'use ./orth cli pipelines, or UPDATE hydration_jobs SET status = ''Cancelled'' to cancel a root job';
end $$;

-- Cancels root jobs as POST /api/pipeline-runs/{id}/cancel does: guarded by the status, journalled, logged, one transaction. The row
-- is locked for update, which waits for the transactions that work on its tasks; after the commit no task starts.
create function orth_cancel_root_job() returns trigger language plpgsql set search_path from current as $$
declare
    run    orth_pipeline_run%rowtype;
    moment timestamptz;
    writer integer;
    number bigint;
begin
    if new.status <> 'Cancelled' or (to_jsonb(new) - 'status') is distinct from (to_jsonb(old) - 'status') then
        raise exception 'hydration_jobs accepts only SET status = ''Cancelled'', got status = ''%''', new.status;
    end if;
    if old.rootjobid is not null then
        raise exception 'job % is a child of %; only root jobs can be cancelled', old.id, old.rootjobid;
    end if;
    select * into run from orth_pipeline_run where id = old.id for update;
    if run.id is null or run.status not in ('PENDING', 'RUNNING') then
        return null;
    end if;
    moment := greatest(clock_timestamp(), run.status_at);
    update orth_pipeline_run
       set status = 'CANCELLED', seq = seq + 1, status_at = moment, updated_at = moment, finished_at = moment, settled = false,
           look_at = moment
     where id = run.id;
    insert into orth_writer as w (node_id, host, pid, version, thread)
    values (format('psql:%s:%s', coalesce(host(inet_client_addr()), 'local'), pg_backend_pid()),
            coalesce(host(inet_client_addr()), 'local'), pg_backend_pid(), '', session_user)
    on conflict (node_id, thread) do update set seen_at = now()
    returning w.id into writer;
    insert into orth_journal (changes) values (1) returning batch into number;
    insert into orth_transition (entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause, writer_id, batch, trace_id)
    values ('PIPELINE_RUN', run.id, run.seq + 1, run.status, 'CANCELLED', moment,
            (extract(epoch from moment - run.status_at) * 1000)::bigint, 'CANCELLED', writer, number, run.trace_id);
    insert into orth_execution_log (root_id, phase, payload, created_at)
    values (run.id, 'step', jsonb_build_object('cancelledBy', session_user, 'reason', 'UPDATE hydration_jobs'), moment);
    return new;
end $$;

-- If another application uses the schema, one of the names may be taken. No view is created then.
do $$
declare
    taken text;
begin
    select string_agg(relname, ', ' order by relname) into taken
      from pg_class
     where relnamespace = current_schema()::regnamespace
       and relname in ('hydration_jobs', 'outbox', 'job_execution_log', 'jobexecutionlog', 'ai_content_log', 'aicontentlog');
    if taken is not null then
        raise warning 'the views of hydrateAll are not created, as these names are taken: %', taken;
        return;
    end if;

    -- The resultMetadata of a root job is its failure, or the result and the links of its run.
    execute $view$
        create view hydration_jobs as
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
    execute $view$
        create view outbox as
        select id, payload, kind, job_id as jobid, root_id as rootjobid, sent_at as sentat, attempts, created_at as createdat
          from orth_outbox
    $view$;
    execute $view$
        create view job_execution_log as
        select no as id, coalesce(task_id, root_id) as jobid, root_id as rootjobid, phase, payload, created_at as createdat
          from orth_execution_log
    $view$;
    execute $view$
        create view ai_content_log as
        select no as id, task_id as jobid, root_id as rootjobid, content_ref as contentref, status, size, created_at as createdat
          from orth_content_log
    $view$;
    -- As hydrateAll writes them: jobExecutionLog, aIContentLog.
    create view jobexecutionlog as select * from job_execution_log;
    create view aicontentlog as select * from ai_content_log;

    create trigger hydration_jobs_cancel instead of update on hydration_jobs
        for each row execute function orth_cancel_root_job();
    create trigger hydration_jobs_read_only instead of insert or delete on hydration_jobs
        for each row execute function orth_reject_write();
    create trigger outbox_read_only instead of insert or update or delete on outbox
        for each row execute function orth_reject_write();
    create trigger job_execution_log_read_only instead of insert or update or delete on job_execution_log
        for each row execute function orth_reject_write();
    create trigger ai_content_log_read_only instead of insert or update or delete on ai_content_log
        for each row execute function orth_reject_write();
    create trigger jobexecutionlog_read_only instead of insert or update or delete on jobexecutionlog
        for each row execute function orth_reject_write();
    create trigger aicontentlog_read_only instead of insert or update or delete on aicontentlog
        for each row execute function orth_reject_write();
end $$;
