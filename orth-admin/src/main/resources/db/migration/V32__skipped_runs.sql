-- Runs that an executor skipped because their job was busy and its block strategy is DISCARD: neither a success nor a failure.
alter table orth_run
    drop constraint the_status_agrees_with_the_codes,
    add constraint the_status_agrees_with_the_codes check (
        case status
            when 'INIT' then trigger_code = 0 and handle_code = 0
            when 'PENDING' then trigger_code = 200 and handle_code = 0
            when 'SUCCESS' then trigger_code = 200 and handle_code = 200
            when 'TIMEOUT' then trigger_code = 200 and handle_code = 502
            when 'FAILED' then trigger_code = 200 and handle_code not in (0, 200, 502)
            when 'TRIGGER_FAILED' then trigger_code not in (0, 200, 409)
            when 'SKIPPED' then trigger_code = 409 and handle_code = 0
            else false
        end);

alter table orth_run_history
    drop constraint the_status_agrees_with_the_codes,
    add constraint the_status_agrees_with_the_codes check (
        case status
            when 'INIT' then trigger_code = 0 and handle_code = 0
            when 'PENDING' then trigger_code = 200 and handle_code = 0
            when 'SUCCESS' then trigger_code = 200 and handle_code = 200
            when 'TIMEOUT' then trigger_code = 200 and handle_code = 502
            when 'FAILED' then trigger_code = 200 and handle_code not in (0, 200, 502)
            when 'TRIGGER_FAILED' then trigger_code not in (0, 200, 409)
            when 'SKIPPED' then trigger_code = 409 and handle_code = 0
            else false
        end);

alter table orth_run_report
    drop constraint orth_run_report_status_check,
    add constraint orth_run_report_status_check
        check (status in ('SUCCESS', 'TIMEOUT', 'FAILED', 'TRIGGER_FAILED', 'SKIPPED'));

alter table orth_decision
    drop constraint orth_decision_reason_check,
    add constraint orth_decision_reason_check
        check (reason in ('MISSED', 'MERGED', 'CATCH_UP_CAP', 'PAUSED', 'OUTSIDE_WINDOW', 'RESCHEDULED', 'UNREADABLE',
                          'PAUSED_CHILD', 'DELETED_CHILD', 'DISCARDED'));
