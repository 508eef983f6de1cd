-- Whoever adds a message holds its queue, and who deletes a queue has looked for messages while nobody could add one. To check the
-- queue of each message again took as long as to write it, also at each claim; and to delete a queue read all messages there are.
alter table orth_message drop constraint orth_message_queue_id_fkey;
