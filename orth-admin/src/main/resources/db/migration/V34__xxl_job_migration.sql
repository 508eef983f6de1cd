-- Committed before an executor is sent a kill, and cleared if it says that it was not running the run. While it is set, a success
-- that arrives counts as killed.
alter table orth_run
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
