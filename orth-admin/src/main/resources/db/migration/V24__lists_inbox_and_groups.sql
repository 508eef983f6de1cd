-- Few messages are discarded among many that are done; a list of them would read through all of those.
create index orth_message_history_discarded on orth_message_history (queue_id, id) where status = 'DISCARDED';

-- How long the messages are as text. An admin takes what fits into one step without reading all that waits.
alter table orth_message_inbox add size integer generated always as (octet_length(messages::text)) stored;

-- When the last letter came or went: a group that has none left is remembered from then on, however long ago it was seen.
alter table orth_dead_letter_group add changed_at timestamptz not null default now();
drop index orth_dead_letter_group_gone;
create index orth_dead_letter_group_gone on orth_dead_letter_group (changed_at) where letters = 0;
