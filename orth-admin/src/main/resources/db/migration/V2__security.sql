-- Users, sessions, API tokens and the audit log. Secrets are stored as hashes only.

create table orth_user (
    id            bigint generated always as identity primary key,
    name          text        not null,
    password_hash text        not null,
    role          text        not null,
    enabled       boolean     not null default true,
    created_at    timestamptz not null,
    last_login_at timestamptz,
    -- ASCII only, so that lower() means the same under every collation.
    constraint orth_user_name_shape check (name ~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$'),
    constraint orth_user_role_known check (role in ('VIEWER', 'OPERATOR', 'ADMIN'))
);

comment on table orth_user is 'Users of the console and owners of API tokens.';

create unique index orth_user_name on orth_user (lower(name));

create table orth_session (
    token_hash   bytea       primary key,
    user_id      bigint      not null references orth_user on delete cascade,
    created_at   timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at   timestamptz not null,
    constraint orth_session_hash_is_sha256 check (octet_length(token_hash) = 32),
    constraint orth_session_ends_after_start check (expires_at > created_at)
);

comment on table orth_session is 'Browser sessions.';

create index orth_session_user on orth_session (user_id);
create index orth_session_expiry on orth_session (expires_at);

create table orth_api_token (
    id           bigint generated always as identity primary key,
    name         text        not null,
    token_hash   bytea       not null,
    role         text        not null,
    -- The token never outranks this user and stops working when the user is disabled.
    created_by   bigint      not null references orth_user on delete cascade,
    created_at   timestamptz not null,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    constraint orth_api_token_hash_is_sha256 check (octet_length(token_hash) = 32),
    constraint orth_api_token_hash unique (token_hash),
    constraint orth_api_token_name_shape check (length(name) between 1 and 64),
    constraint orth_api_token_role_known check (role in ('VIEWER', 'OPERATOR', 'ADMIN')),
    constraint orth_api_token_ends_after_start check (expires_at > created_at)
);

comment on table orth_api_token is 'Tokens of REST clients.';

create index orth_api_token_owner on orth_api_token (created_by, id) where revoked_at is null;

create table orth_audit (
    id         bigint generated always as identity primary key,
    at         timestamptz not null,
    actor      text        not null,
    actor_kind text        not null,
    action     text        not null,
    object     text,
    -- The HTTP status. Null during the call, and if the admin died in it.
    outcome    integer,
    address    text        not null,
    trace_id   text        not null,
    detail     text,
    constraint orth_audit_actor_kind_known check (actor_kind in ('ANONYMOUS', 'USER', 'API_TOKEN', 'EXECUTOR')),
    constraint orth_audit_outcome_is_a_status check (outcome between 100 and 599)
);

comment on table orth_audit is 'Calls that change something, with actor and outcome.';

create index orth_audit_actor on orth_audit (lower(actor), id desc);
