-- Committed before an executor is sent a kill, and cleared if it says that it was not running the run. While it is set, a success
-- that arrives counts as killed.
alter table orth_run
    add column kill_sent_at timestamptz;
alter table orth_run_history
    add column kill_sent_at timestamptz;

-- Where imported jobs come from, so that a second import finds them whatever they are called, and can say what was changed there
-- since. source_row has the fields of the row as it was imported; long texts by their beginning, length and hash.
create table orth_imported_job (
    installation text        not null check (length(installation) <= 400),
    source_id    integer     not null,
    job_id       integer     not null references orth_job on delete cascade,
    source_row   jsonb       not null,
    imported_at  timestamptz not null default now(),
    primary key (installation, source_id),
    unique (installation, job_id)
);

create index orth_imported_job_of on orth_imported_job (job_id);

-- Registrations of executors that were rejected. Callers need no token to get here, so every text is bounded, and so is the number
-- of rows: each node writes at most 200 at a time, and keeps the 200 that were seen last.
create table orth_rejected_registration (
    peer          text        not null check (length(peer) <= 64),
    group_name    text        not null check (length(group_name) <= 64),
    address       text        not null check (length(address) <= 300),
    reason        text        not null check (reason in ('WRONG_TOKEN', 'WRONG_GROUP', 'INVALID_ADDRESS', 'ADDRESS_NOT_ALLOWED',
                                                         'INVALID_REQUEST')),
    message       text        not null check (length(message) <= 300),
    attempts      bigint      not null,
    first_seen_at timestamptz not null,
    last_seen_at  timestamptz not null,
    primary key (peer, group_name, address, reason)
);
