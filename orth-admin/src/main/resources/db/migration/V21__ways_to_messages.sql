-- Lists go through all messages of a queue, and say so: size >= 0 is true of each of them. Nothing else may take that way, however
-- few messages the database believes there are. A claim that does reads all that wait.
drop index orth_message_list;
create index orth_message_list on orth_message (queue_id, id) where size >= 0;

-- The past of a message has the moments of its changes but for those that other columns say: when it was pushed, and when it was
-- claimed last before it was done.
comment on column orth_message.past is 'when it changed before, but for pushed_at';
comment on column orth_message_history.past is 'when it changed before, but for pushed_at and claimed_at';

-- Numbers hardly shrink, and are written with every claim.
alter table orth_queue_worker alter message_ids set storage external;
