-- Pipelines: work in stages over many targets. A run has tasks, a task reaches its executor through the outbox.
alter table orth_transition drop constraint orth_transition_entity_check1;
alter table orth_transition
    add constraint orth_transition_entity_check1 check (entity in ('RUN', 'EXECUTOR', 'JOB', 'PIPELINE_RUN'));
alter table orth_transition_pack drop constraint orth_transition_pack_entity_check;
alter table orth_transition_pack
    add constraint orth_transition_pack_entity_check check (entity in ('MESSAGE', 'PIPELINE_TASK'));

create table orth_pipeline (
    name        text primary key check (name ~ '^[A-Za-z0-9._-]{1,64}$'),
    version     integer     not null,
    paused      boolean     not null default false,
    description text        not null,
    stages      jsonb       not null,
    updated_by  text        not null,
    updated_at  timestamptz not null
);

-- What each version was.
create table orth_pipeline_version (
    pipeline    text        not null references orth_pipeline (name) on delete cascade,
    version     integer     not null,
    description text        not null,
    stages      jsonb       not null,
    created_by  text        not null,
    created_at  timestamptz not null,
    primary key (pipeline, version)
);

-- Every stage there ever was, of whichever version: what a kill switch is for, and what shares the outbox fairly.
create table orth_pipeline_stage (
    id       integer generated always as identity primary key,
    pipeline text    not null,
    name     text    not null,
    paused   boolean not null default false,
    unique (pipeline, name)
);

-- One row: whether all pipelines are paused.
create table orth_pipeline_switch (
    one    boolean primary key default true check (one),
    paused boolean not null default false
);

insert into orth_pipeline_switch default values;

-- Roots. Whoever works on a run's tasks holds its row for key share; whoever cancels or reopens it locks it for update.
create table orth_pipeline_run (
    id              bigint primary key,
    pipeline        text        not null,
    version         integer     not null,
    stages          jsonb       not null,
    status          text        not null check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
    seq             integer     not null,
    status_at       timestamptz not null,
    -- The stage whose tasks are made or awaited, from 0.
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
    -- Failed tasks of these stages get another chance, all or some: what is left of a retry that somebody asked for.
    retry_tasks     bigint[],
    retry_from      smallint,
    retry_to        smallint,
    -- Whether nothing is left to be done: it is over, and so are all its tasks.
    settled         boolean     not null default false,
    look_at         timestamptz not null,
    audit_at        timestamptz not null,
    created_at      timestamptz not null,
    started_at      timestamptz,
    finished_at     timestamptz,
    updated_at      timestamptz not null,
    constraint over_is_finished check ((status in ('COMPLETED', 'FAILED', 'CANCELLED')) = (finished_at is not null))
) with (fillfactor = 50);

create unique index orth_pipeline_run_key on orth_pipeline_run (pipeline, idempotency_key) where idempotency_key is not null;
create index orth_pipeline_run_look on orth_pipeline_run (look_at, id) where not settled;
create index orth_pipeline_run_of on orth_pipeline_run (pipeline, id);
create index orth_pipeline_run_finished on orth_pipeline_run (finished_at, id) where settled;

-- How far each stage of a run is.
create table orth_pipeline_progress (
    root_id       bigint   not null references orth_pipeline_run (id),
    stage         smallint not null,
    stage_id      integer  not null references orth_pipeline_stage (id),
    -- How many tasks it has; null until all of them are made.
    expected      bigint,
    -- The last proposal that was made a task.
    fanned_out_to bigint   not null default 0,
    completed     bigint   not null default 0,
    failed        bigint   not null default 0,
    cancelled     bigint   not null default 0,
    primary key (root_id, stage)
) with (fillfactor = 50);

-- What changed since; folded into the above.
create table orth_pipeline_delta (
    no        bigint generated always as identity primary key,
    root_id   bigint   not null,
    stage     smallint not null,
    completed integer  not null,
    failed    integer  not null,
    cancelled integer  not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create index orth_pipeline_delta_root on orth_pipeline_delta (root_id);

create table orth_pipeline_task (
    id           bigint primary key,
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
    -- Whose it is: the instance is the lease, the attempt and the log its fence.
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
    constraint one_task_for_each_target unique (root_id, stage, target_type, target_id),
    constraint locked_by_somebody check ((status in ('CLAIMED', 'RUNNING')) = (executor_id is not null and locked_at is not null))
) with (fillfactor = 70);

create index orth_pipeline_task_list on orth_pipeline_task (root_id, id);
create index orth_pipeline_task_open on orth_pipeline_task (root_id, stage, id) where status in ('PENDING', 'CLAIMED', 'RUNNING');
create index orth_pipeline_task_failed on orth_pipeline_task (root_id, stage, id) where status = 'FAILED';
create index orth_pipeline_task_with on orth_pipeline_task (executor_id) where executor_id is not null;
create index orth_pipeline_task_language on orth_pipeline_task (root_id, (meta ->> 'language'), id) where jsonb_exists(meta, 'language');

-- Children that finished tasks proposed; the reconciler makes tasks of them, under the same id.
create table orth_pipeline_proposal (
    id          bigint primary key,
    root_id     bigint   not null references orth_pipeline_run (id),
    stage       smallint not null,
    parent_id   bigint   not null,
    target_type text     not null,
    target_id   text     not null,
    params      jsonb,
    meta        jsonb    not null
);

create index orth_pipeline_proposal_of on orth_pipeline_proposal (root_id, stage, id);

-- Promises to tell somebody of a task. On queues of this database, message and settled promise are one transaction.
create table orth_outbox (
    id              bigint primary key,
    kind            text        not null check (kind in ('QUEUE', 'WEBHOOK')),
    stage_id        integer     not null references orth_pipeline_stage (id),
    root_id         bigint      not null,
    job_id          bigint      not null,
    attempt         integer     not null,
    -- A queue or the name of a webhook.
    destination     text        not null,
    payload         jsonb       not null,
    trace_id        text        not null,
    -- When the task may be begun.
    due_at          timestamptz,
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

create index orth_outbox_due on orth_outbox (stage_id, kind, next_attempt_at, id) where sent_at is null and parked_at is null;
create index orth_outbox_parked on orth_outbox (id) where parked_at is not null;
create index orth_outbox_sent on orth_outbox (sent_at) where sent_at is not null;
create unique index orth_outbox_unsent on orth_outbox (job_id, attempt) where sent_at is null;
create index orth_outbox_job on orth_outbox (job_id, attempt);
create index orth_outbox_root on orth_outbox (root_id);

create table orth_execution_log (
    no         bigint generated always as identity primary key,
    root_id    bigint      not null,
    -- Null where it is about the run.
    task_id    bigint,
    phase      text        not null check (phase in ('start', 'step', 'summary', 'error')),
    payload    jsonb       not null,
    created_at timestamptz not null
);

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

create index orth_content_log_root on orth_content_log (root_id, no);

-- Attempts that were under way when their run was cancelled: their executors are told with their next beats.
create table orth_pipeline_revoked (
    log_id      bigint primary key,
    executor_id bigint      not null,
    at          timestamptz not null
);

create index orth_pipeline_revoked_of on orth_pipeline_revoked (executor_id, at);
create index orth_pipeline_revoked_at on orth_pipeline_revoked (at);
