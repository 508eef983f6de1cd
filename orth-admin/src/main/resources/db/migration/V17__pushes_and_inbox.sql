-- Pushes that their client gave an id: what each was answered, so that the same id again adds nothing.
create table orth_push (
    id          text primary key,
    queue_id    integer     not null references orth_queue (id) on delete cascade,
    at          timestamptz not null default now(),
    message_ids bigint[]    not null default '{}',
    -- Which of them were not added because their unique key was taken, counted from 1.
    duplicates  integer[]   not null default '{}'
) with (fillfactor = 50);

create index orth_push_at on orth_push (at);

-- Messages that applications put in inside their own transactions; admins move them to their queues. An application needs to be
-- allowed no more than: grant insert (queue, messages) on orth_message_inbox.
create table orth_message_inbox (
    id         bigint generated always as identity primary key,
    queue      text        not null check (queue ~ '^[A-Za-z0-9._:-]{1,100}$'),
    -- An array of messages as executors push them; see the reference of the wire. Never more than an admin reads at once.
    messages   jsonb       not null check (jsonb_typeof(messages) = 'array' and pg_column_size(messages) <= 16777216),
    created_at timestamptz not null default clock_timestamp(),
    -- Since when it waits for somebody to decide about it, and why it could not be pushed.
    parked_at  timestamptz,
    error      text,
    constraint parked_for_a_reason check ((parked_at is null) = (error is null))
) with (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create index orth_message_inbox_waiting on orth_message_inbox (queue, id) where parked_at is null;
create index orth_message_inbox_parked on orth_message_inbox (id) where parked_at is not null;
