-- Jobs that code declares. The job itself is an ordinary one; here is what the code says about it.
create table orth_job_declaration (
    group_id     integer     not null references orth_executor_group on delete cascade,
    name         text        not null check (length(name) between 1 and 200),
    -- The job that it is about. Null where it was deleted, or never could be made.
    job_id       integer references orth_job on delete set null,
    -- The last that the code said and that could be taken: while the job is like this, it follows the code.
    declared     jsonb,
    -- Why what the code says now was refused.
    problem      text,
    declared_at  timestamptz not null default now(),
    -- The instance whose word it is.
    instance_id  text        not null,
    -- Since when the code says nothing about it any more.
    withdrawn_at timestamptz,
    primary key (group_id, name)
);

create unique index orth_job_declaration_job on orth_job_declaration (job_id);

-- What each instance declares, as a hash. The youngest that is there speaks for its group.
create table orth_declaring (
    executor_id bigint  not null primary key references orth_executor on delete cascade,
    group_id    integer not null references orth_executor_group on delete cascade,
    hash        text    not null check (length(hash) = 64)
);

create index orth_declaring_group on orth_declaring (group_id, executor_id desc);

-- Which declarations of a group are in force. Its row is locked by whoever changes what a group declares.
create table orth_declared_set (
    group_id integer not null primary key references orth_executor_group on delete cascade,
    hash     text
);

-- Executors change jobs too, by declaring them.
alter table orth_audit
    drop constraint orth_audit_actor_kind_known,
    add constraint orth_audit_actor_kind_known check (actor_kind in ('ANONYMOUS', 'USER', 'API_TOKEN', 'EXECUTOR'));
