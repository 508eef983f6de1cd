-- The attempt that each transition of a message or task belongs to; one element if it is the same for all.
alter table orth_transition_pack add attempts integer[];
alter table orth_transition_pack alter attempts set storage external;

-- Transitions of a message name the task that the message carries.
create index orth_outbox_message on orth_outbox (message_id) where message_id is not null;
