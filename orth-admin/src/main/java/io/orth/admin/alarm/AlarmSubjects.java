package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the subjects of alarms: failed runs of jobs and of pipelines, and alerts on queues. */
final class AlarmSubjects {

    private static final String ADD_RUNS = """
            insert into orth_alarm_run (alarm_id, channel_id, run_id)
            select :alarm, :channel, r from unnest(:runs) r
            on conflict (run_id, channel_id) do nothing
            """;

    private static final String ADD_NOTICES = """
            insert into orth_alarm_notice (alarm_id, no, queue, rule, over, text, at)
            select :alarm, w.no, w.queue, w.rule, w.over, w.text, w.at
              from unnest(:queues, :rules, :overs, :texts, :ats) with ordinality as w(queue, rule, over, text, at, no)
            """;

    /** If a run was retried and failed again before the alarm was sent, its entry shows the last failure. */
    private static final String ADD_PIPELINE_RUN = """
            insert into orth_alarm_pipeline_run (alarm_id, run_id, pipeline, message, failed_at)
            values (:alarm, :run, :pipeline, :message, :failedAt)
            on conflict (alarm_id, run_id) do update set message = excluded.message, failed_at = excluded.failed_at
            """;

    private static final String RUNS = """
            select r.id as run_id, r.job_id, r.job_name as job, coalesce(g.name, '') as "group", r.status, r.trigger_code,
                   r.handle_code, r.attempt, coalesce(r.handle_msg, r.trigger_msg, '') as message, r.finished_at
              from orth_alarm_run n
              join orth_run_history r on r.id = n.run_id
              left join orth_executor_group g on g.id = r.group_id
             where n.alarm_id = :alarm
             order by n.run_id
             limit :limit
            """;

    private static final String NOTICES = """
            select queue, rule, over, text, null::integer as group_id, at
              from orth_alarm_notice
             where alarm_id = :alarm
             order by no
             limit :limit
            """;

    private static final String PIPELINE_RUNS = """
            select run_id, pipeline, null::integer as group_id, message, failed_at
              from orth_alarm_pipeline_run
             where alarm_id = :alarm
             order by run_id
             limit :limit
            """;

    private static final String COUNT = """
            select (select count(*) from orth_alarm_run where alarm_id = :alarm)
                   + (select count(*) from orth_alarm_pipeline_run where alarm_id = :alarm)
                   + (select count(*) from orth_alarm_notice where alarm_id = :alarm)
            """;

    private final JdbcClient jdbc;

    AlarmSubjects(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void addRuns(long alarm, int channel, Collection<Long> runs) {
        jdbc.sql(ADD_RUNS)
                .param("alarm", alarm)
                .param("channel", channel)
                .param("runs", SqlArrays.bigints(runs, id -> id))
                .update();
    }

    void addNotices(long alarm, List<AlarmNotice> notices) {
        jdbc.sql(ADD_NOTICES)
                .param("alarm", alarm)
                .param("queues", SqlArrays.texts(notices, AlarmNotice::queue))
                .param("rules", SqlArrays.texts(notices, AlarmNotice::rule))
                .param("overs", SqlArrays.booleans(notices, AlarmNotice::over))
                .param("texts", SqlArrays.texts(notices, AlarmNotice::text))
                .param("ats", SqlArrays.instants(notices, AlarmNotice::at))
                .update();
    }

    void addPipelineRun(long alarm, FailedPipelineRun run) {
        jdbc.sql(ADD_PIPELINE_RUN)
                .param("alarm", alarm)
                .param("run", run.runId())
                .param("pipeline", run.pipeline())
                .param("message", run.message())
                .param("failedAt", SqlRows.timestamp(run.failedAt()))
                .update();
    }

    List<Told> runs(long alarm, int limit) {
        return first(RUNS, alarm, limit, Told.class);
    }

    List<AlarmNotice> notices(long alarm, int limit) {
        return first(NOTICES, alarm, limit, AlarmNotice.class);
    }

    List<FailedPipelineRun> pipelineRuns(long alarm, int limit) {
        return first(PIPELINE_RUNS, alarm, limit, FailedPipelineRun.class);
    }

    private <T> List<T> first(String statement, long alarm, int limit, Class<T> type) {
        return jdbc.sql(statement)
                .param("alarm", alarm)
                .param("limit", limit)
                .query(type)
                .list();
    }

    long count(long alarm) {
        return jdbc.sql(COUNT).param("alarm", alarm).query(Long.class).single();
    }
}
