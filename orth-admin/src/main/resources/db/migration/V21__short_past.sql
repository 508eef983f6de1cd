-- The past of a message has the moments of its changes but for those that other columns say: when it was pushed, and when it was
-- claimed last before it was done.
comment on column orth_message.past is 'when it changed before, but for pushed_at';
comment on column orth_message_history.past is 'when it changed before, but for pushed_at and claimed_at';

-- Numbers hardly shrink, and are written with every claim.
alter table orth_queue_worker alter message_ids set storage external;
