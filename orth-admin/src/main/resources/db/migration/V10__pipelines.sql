-- Pipelines: work in stages over many targets. A run has tasks; a task reaches its executor through the outbox.

create table orth_pipeline (
    name        text        primary key check (name ~ '^[A-Za-z0-9._-]{1,64}$'),
    version     integer     not null,
    paused      boolean     not null default false,
    description text        not null,
    stages      jsonb       not null,
    updated_by  text        not null,
    updated_at  timestamptz not null
);

comment on table orth_pipeline is 'Definitions of pipelines, in their current version.';

create table orth_pipeline_version (
    pipeline    text        not null references orth_pipeline (name) on delete cascade,
    version     integer     not null,
    description text        not null,
    stages      jsonb       not null,
    created_by  text        not null,
    created_at  timestamptz not null,
    primary key (pipeline, version)
);

comment on table orth_pipeline_version is 'All versions of pipeline definitions.';

create table orth_pipeline_stage (
    id       integer generated always as identity primary key,
    pipeline text    not null,
    name     text    not null,
    paused   boolean not null default false,
    unique (pipeline, name)
);

comment on table orth_pipeline_stage is
    'Every stage that any version of a pipeline has had: the unit that can be paused and that gets a fair share of the outbox.';

create table orth_pipeline_switch (
    one    boolean primary key default true check (one),
    paused boolean not null default false
);

comment on table orth_pipeline_switch is 'One row: whether all pipelines are paused.';

insert into orth_pipeline_switch default values;

create table orth_pipeline_run (
    id              bigint      primary key,
    pipeline        text        not null,
    version         integer     not null,
    stages          jsonb       not null,
    status          text        not null check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
    seq             integer     not null,
    status_at       timestamptz not null,
    -- The stage, from 0, whose tasks are being created or awaited.
    stage           smallint    not null default 0,
    scope           jsonb       not null,
    options         jsonb       not null,
    meta            jsonb       not null,
    created_by      text        not null,
    trace_id        text        not null,
    idempotency_key text,
    request_hash    text,
    estimate        bigint,
    failure         jsonb,
    -- A requested retry that is not finished: the failed tasks of these stages, all or the listed ones.
    retry_tasks     bigint[],
    retry_from      smallint,
    retry_to        smallint,
    -- The run and all its tasks have finished.
    settled         boolean     not null default false,
    look_at         timestamptz not null,
    audit_at        timestamptz not null,
    created_at      timestamptz not null,
    started_at      timestamptz,
    finished_at     timestamptz,
    updated_at      timestamptz not null,
    -- As text, a jsonb value can be longer than it was sent.
    result          jsonb check (octet_length(result::text) <= 16384),
    links           jsonb,
    constraint over_is_finished check ((status in ('COMPLETED', 'FAILED', 'CANCELLED')) = (finished_at is not null))
) with (fillfactor = 50);

comment on table orth_pipeline_run is
    'Runs of pipelines, the roots of their tasks. A transaction that works on tasks holds the row for key share; one that cancels or reopens'
    ' the run locks it for update.';

create unique index orth_pipeline_run_key on orth_pipeline_run (pipeline, idempotency_key) where idempotency_key is not null;
create index orth_pipeline_run_look on orth_pipeline_run (look_at, id) where not settled;
create index orth_pipeline_run_of on orth_pipeline_run (pipeline, id);
create index orth_pipeline_run_finished on orth_pipeline_run (finished_at, id) where settled;

create table orth_pipeline_progress (
    root_id       bigint   not null references orth_pipeline_run (id),
    stage         smallint not null,
    stage_id      integer  not null references orth_pipeline_stage (id),
    -- How many tasks the stage has; null until all are created.
    expected      bigint,
    -- The last proposal that a task was created from.
    fanned_out_to bigint   not null default 0,
    completed     bigint   not null default 0,
    failed        bigint   not null default 0,
    cancelled     bigint   not null default 0,
    -- How many tasks were created so far; equal to expected once that is known.
    created       bigint   not null default 0,
    primary key (root_id, stage)
) with (fillfactor = 50);

comment on table orth_pipeline_progress is 'The progress of each stage of a run.';

create table orth_pipeline_delta (
    no        bigint generated always as identity primary key,
    root_id   bigint   not null,
    stage     smallint not null,
    completed integer  not null,
    failed    integer  not null,
    cancelled integer  not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

comment on table orth_pipeline_delta is
    'Counts not yet added to orth_pipeline_progress, so that no transaction that finishes tasks waits for a shared row.';

create index orth_pipeline_delta_root on orth_pipeline_delta (root_id);

create table orth_pipeline_task (
    id           bigint      primary key,
    root_id      bigint      not null references orth_pipeline_run (id),
    parent_id    bigint,
    stage        smallint    not null,
    stage_id     integer     not null references orth_pipeline_stage (id),
    target_type  text        not null check (target_type ~ '^[A-Za-z0-9._-]{1,64}$'),
    target_id    text        not null check (length(target_id) between 1 and 200),
    status       text        not null check (status in ('PENDING', 'CLAIMED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
    seq          integer     not null,
    status_at    timestamptz not null,
    past         timestamptz[],
    attempts     integer     not null default 0 check (attempts between 0 and max_attempts),
    max_attempts integer     not null,
    -- The claim: the executor instance is the lease, attempt and log id are the fence.
    executor_id  bigint,
    log_id       bigint,
    locked_at    timestamptz,
    steps        integer     not null default 0,
    created_by   text        not null,
    params       jsonb,
    meta         jsonb       not null default '{}',
    result       jsonb check (octet_length(result::text) <= 16384),
    error        jsonb,
    created_at   timestamptz not null,
    started_at   timestamptz,
    finished_at  timestamptz,
    -- A claim changes the status, but none of these. With an index on the status itself, each claim would add an entry to every index of
    -- the table.
    is_open      boolean     not null generated always as (status in ('PENDING', 'CLAIMED', 'RUNNING')) stored,
    is_failed    boolean     not null generated always as (status = 'FAILED') stored,
    constraint one_task_for_each_target unique (root_id, stage, target_type, target_id),
    constraint locked_by_somebody check ((status in ('CLAIMED', 'RUNNING')) = (executor_id is not null and locked_at is not null))
) with (fillfactor = 70);

comment on table orth_pipeline_task is 'Tasks: one target in one stage of a run. A task is claimed, retried and rescued with its message.';

create index orth_pipeline_task_list on orth_pipeline_task (root_id, id);
create index orth_pipeline_task_open on orth_pipeline_task (root_id, stage, id) where is_open;
create index orth_pipeline_task_failed on orth_pipeline_task (root_id, stage, id) where is_failed;

create table orth_pipeline_proposal (
    id          bigint   primary key,
    root_id     bigint   not null references orth_pipeline_run (id),
    stage       smallint not null,
    parent_id   bigint   not null,
    target_type text     not null,
    target_id   text     not null,
    params      jsonb,
    meta        jsonb    not null
);

comment on table orth_pipeline_proposal is
    'Children that finished tasks proposed. The reconciler creates a task with the same id from each.';

create index orth_pipeline_proposal_of on orth_pipeline_proposal (root_id, stage, id);

-- Meta never changes, so these rows are written once; an index on the column itself would be written with each status of a task. Kept by
-- triggers, whichever statement inserts or deletes.
create table orth_pipeline_run_meta (
    name   text   not null,
    value  text   not null,
    run_id bigint not null,
    primary key (name, value, run_id)
);

comment on table orth_pipeline_run_meta is 'The meta of pipeline runs by key and value, for filters.';

create table orth_pipeline_task_meta (
    root_id bigint not null,
    name    text   not null,
    value   text   not null,
    task_id bigint not null,
    primary key (root_id, name, value, task_id)
);

comment on table orth_pipeline_task_meta is 'The meta of tasks by key and value, for filters.';

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

create table orth_outbox (
    id              bigint      primary key,
    kind            text        not null check (kind in ('QUEUE', 'WEBHOOK')),
    stage_id        integer     not null references orth_pipeline_stage (id),
    root_id         bigint      not null,
    job_id          bigint      not null,
    attempt         integer     not null,
    -- A queue, or the name of a webhook.
    destination     text        not null,
    payload         jsonb       not null,
    trace_id        text        not null,
    created_at      timestamptz not null,
    next_attempt_at timestamptz not null,
    attempts        integer     not null default 0,
    lease_owner     text,
    lease_until     timestamptz,
    last_error      text,
    parked_at       timestamptz,
    sent_at         timestamptz,
    message_id      bigint
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

comment on table orth_outbox is
    'Tasks to be sent to a queue or a webhook. For queues of this database, inserting the message and settling the entry are one'
    ' transaction.';

create index orth_outbox_due on orth_outbox (stage_id, kind, next_attempt_at, id) where sent_at is null and parked_at is null;
create index orth_outbox_parked on orth_outbox (id) where parked_at is not null;
create index orth_outbox_sent on orth_outbox (sent_at) where sent_at is not null;
create unique index orth_outbox_unsent on orth_outbox (job_id, attempt) where sent_at is null;
create index orth_outbox_job on orth_outbox (job_id, attempt);
create index orth_outbox_root on orth_outbox (root_id);
-- Transitions of a message name the task that the message carries.
create index orth_outbox_message on orth_outbox (message_id) where message_id is not null;

create table orth_execution_log (
    no         bigint generated always as identity primary key,
    root_id    bigint      not null,
    -- Null if the entry is about the run.
    task_id    bigint,
    phase      text        not null check (phase in ('start', 'step', 'summary', 'error')),
    payload    jsonb       not null,
    created_at timestamptz not null
);

comment on table orth_execution_log is 'What happened in pipeline runs and tasks, as handlers and the reconciler report it.';

create index orth_execution_log_root on orth_execution_log (root_id, no);
create index orth_execution_log_task on orth_execution_log (task_id, no) where task_id is not null;

create table orth_content_log (
    no          bigint generated always as identity primary key,
    root_id     bigint      not null,
    task_id     bigint      not null,
    content_ref text        not null check (length(content_ref) between 1 and 500),
    status      text        not null check (length(status) between 1 and 32),
    size        bigint      not null check (size >= 0),
    created_at  timestamptz not null,
    unique (task_id, content_ref)
);

comment on table orth_content_log is 'Content that tasks have created.';

create index orth_content_log_root on orth_content_log (root_id, no);
