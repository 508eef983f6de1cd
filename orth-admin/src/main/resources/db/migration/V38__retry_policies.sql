-- One retry policy for jobs, queues, messages and stages: attempts in total, and how the delay between them grows.
alter table orth_job drop constraint orth_job_retries_check;
alter table orth_job rename column retries to max_attempts;
alter table orth_job rename column backoff_ms to backoff_initial_ms;
alter table orth_job rename column backoff_cap_ms to backoff_max_ms;
alter table orth_job
    alter column max_attempts set default 1,
    add column backoff_multiplier float8 not null default 2 check (backoff_multiplier between 1 and 100),
    add column backoff_jitter     float8 not null default 0 check (backoff_jitter between 0 and 1),
    drop constraint orth_job_backoff_ms_check,
    drop constraint orth_job_backoff_cap_ms_check,
    add constraint orth_job_backoff_check check (backoff_initial_ms >= 0 and backoff_max_ms >= backoff_initial_ms);
update orth_job set max_attempts = least(max_attempts + 1, 100);
alter table orth_job add constraint orth_job_max_attempts_check check (max_attempts between 1 and 100);

alter table orth_queue rename column retry_first_millis to backoff_initial_ms;
alter table orth_queue rename column retry_factor to backoff_multiplier;
alter table orth_queue rename column retry_most_millis to backoff_max_ms;
alter table orth_queue add column backoff_jitter float8 not null default 0 check (backoff_jitter between 0 and 1);

-- Of messages that say their own; null where the queue's holds.
alter table orth_message rename column retry_first_millis to backoff_initial_ms;
alter table orth_message rename column retry_factor to backoff_multiplier;
alter table orth_message rename column retry_most_millis to backoff_max_ms;
alter table orth_message add column backoff_jitter float8;

alter table orth_dead_letter rename column retry_first_millis to backoff_initial_ms;
alter table orth_dead_letter rename column retry_factor to backoff_multiplier;
alter table orth_dead_letter rename column retry_most_millis to backoff_max_ms;
alter table orth_dead_letter add column backoff_jitter float8;

-- What the handler of a run said about the next attempt.
alter table orth_run
    add column non_retryable  boolean,
    add column retry_after_ms bigint;
alter table orth_run_history
    add column non_retryable  boolean,
    add column retry_after_ms bigint;

-- Stages, declared jobs and messages of the inbox are stored as JSON.
create function orth_v38_stages(stages jsonb) returns jsonb language sql immutable as $$
    select coalesce(jsonb_agg(stage - array['firstMillis', 'factor', 'mostMillis'] || jsonb_build_object(
                        'backoff',
                        jsonb_build_object('initialDelayMillis', stage -> 'firstMillis', 'multiplier', stage -> 'factor',
                                           'maxDelayMillis', stage -> 'mostMillis', 'jitter', 0)) order by position), '[]')
      from jsonb_array_elements(stages) with ordinality as each(stage, position)
$$;

update orth_pipeline set stages = orth_v38_stages(stages);
update orth_pipeline_version set stages = orth_v38_stages(stages);
update orth_pipeline_run set stages = orth_v38_stages(stages);
drop function orth_v38_stages(jsonb);

update orth_job_declaration
   set declared = declared - array['retries', 'backoffMillis']
                  || jsonb_build_object('maxAttempts', least(coalesce((declared ->> 'retries')::integer, 0) + 1, 100))
                  || case when declared ->> 'backoffMillis' is null then '{}'
                          else jsonb_build_object('backoff', jsonb_build_object('initialDelayMillis', declared -> 'backoffMillis'))
                     end
 where declared is not null;

update orth_message_inbox
   set messages = (select jsonb_agg(case when jsonb_typeof(message -> 'retry') = 'object'
                                         then message - 'retry' || jsonb_build_object(
                                              'backoff',
                                              jsonb_build_object('initialDelayMillis', message #> '{retry,firstMillis}',
                                                                 'multiplier', coalesce(message #> '{retry,factor}', '2'),
                                                                 'maxDelayMillis', message #> '{retry,mostMillis}'))
                                         else message end order by position)
                     from jsonb_array_elements(messages) with ordinality as each(message, position))
 where messages @? '$[*].retry';
