-- Which installation this database is, and where it was when an admin last looked: a copy finds itself elsewhere and does not take itself
-- for the original.
create table orth_installation (
    singleton         boolean     primary key default true check (singleton),
    id                uuid        not null,
    -- null where the user may not read it; then the database's oid decides alone
    system_identifier text,
    database_oid      bigint      not null,
    copied_from_id    uuid,
    paused_at         timestamptz,
    pause_reason      text        check (pause_reason in ('COPIED', 'START_PAUSED')),
    constraint a_pause_has_a_reason check ((paused_at is null) = (pause_reason is null))
);
