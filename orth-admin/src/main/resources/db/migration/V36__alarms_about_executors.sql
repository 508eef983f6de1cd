-- A notice about the executors as a whole names no queue.
alter table orth_alarm_notice alter column queue drop not null;
