-- The result and the links of a pipeline run as a whole. As text a jsonb value can be longer than it was sent.
alter table orth_pipeline_run
    add result jsonb check (octet_length(result::text) <= 16384),
    add links  jsonb;
