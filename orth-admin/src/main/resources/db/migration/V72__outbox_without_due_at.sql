alter table orth_outbox drop column due_at;
