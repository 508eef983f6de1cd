-- Where the embedded database's data are: a copy of its files has the same system identifier and oid. Null for a database that is not
-- embedded, and until an admin that knows it has looked.
alter table orth_installation add column data_directory text;
