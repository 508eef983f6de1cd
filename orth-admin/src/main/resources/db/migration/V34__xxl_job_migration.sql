-- Committed before an executor is sent a kill, and cleared if it says that it was not running the run. While it is set, a success
-- that arrives counts as killed.
alter table orth_run
    add column kill_sent_at timestamptz;
