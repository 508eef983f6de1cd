-- Few messages are discarded among many that are done; a list of them would read through all of those.
create index orth_message_history_discarded on orth_message_history (queue_id, id) where status = 'DISCARDED';

-- How long the messages are as text. An admin takes what fits into one step without reading all that waits.
alter table orth_message_inbox add size integer generated always as (octet_length(messages::text)) stored;
