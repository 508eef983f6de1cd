package io.orth.admin.alarm;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of what alarms are about beside runs of jobs: alerts on queues and failed runs of pipelines. */
final class AlarmSubjects {

    private static final String NAME_NOTICES = """
            insert into orth_alarm_notice (alarm_id, no, queue, rule, over, text, at)
            select :alarm, w.no, w.queue, w.rule, w.over, w.text, w.at
              from unnest(:queues, :rules, :overs, :texts, :ats) with ordinality as w(queue, rule, over, text, at, no)
            """;

    private static final String NOTICES = """
            select queue, rule, over, text, at from orth_alarm_notice where alarm_id = :alarm order by no limit :limit
            """;

    /** A run that was retried and failed again before the alarm was sent is named once, as it failed last. */
    private static final String ADD_PIPELINE_RUN = """
            insert into orth_alarm_pipeline_run (alarm_id, run_id, pipeline, message, failed_at)
            values (:alarm, :run, :pipeline, :message, :failedAt)
            on conflict (alarm_id, run_id) do update set message = excluded.message, failed_at = excluded.failed_at
            """;

    private static final String PIPELINE_RUNS = """
            select run_id, pipeline, message, failed_at
              from orth_alarm_pipeline_run
             where alarm_id = :alarm
             order by run_id
             limit :limit
            """;

    private final JdbcClient jdbc;

    AlarmSubjects(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** To an alarm that was just opened. */
    void add(long alarm, List<AlarmNotice> notices) {
        jdbc.sql(NAME_NOTICES)
                .param("alarm", alarm)
                .param("queues", SqlArrays.texts(notices, AlarmNotice::queue))
                .param("rules", SqlArrays.texts(notices, AlarmNotice::rule))
                .param("overs", SqlArrays.booleans(notices, AlarmNotice::over))
                .param("texts", SqlArrays.texts(notices, AlarmNotice::text))
                .param("ats", SqlArrays.instants(notices, AlarmNotice::at))
                .update();
    }

    List<AlarmNotice> notices(long alarm, int limit) {
        return jdbc.sql(NOTICES)
                .param("alarm", alarm)
                .param("limit", limit)
                .query((row, n) -> new AlarmNotice(
                        row.getString("queue"),
                        row.getString("rule"),
                        row.getBoolean("over"),
                        row.getString("text"),
                        null,
                        SqlRows.instant(row, "at")))
                .list();
    }

    long countNotices(long alarm) {
        return count("orth_alarm_notice", alarm);
    }

    /** Callers have locked the channel of the alarm. */
    void add(long alarm, FailedPipelineRun run) {
        jdbc.sql(ADD_PIPELINE_RUN)
                .param("alarm", alarm)
                .param("run", run.runId())
                .param("pipeline", run.pipeline())
                .param("message", run.message())
                .param("failedAt", SqlRows.timestamp(run.failedAt()))
                .update();
    }

    List<FailedPipelineRun> pipelineRuns(long alarm, int limit) {
        return jdbc.sql(PIPELINE_RUNS)
                .param("alarm", alarm)
                .param("limit", limit)
                .query((row, n) -> new FailedPipelineRun(
                        row.getLong("run_id"),
                        row.getString("pipeline"),
                        null,
                        row.getString("message"),
                        SqlRows.instant(row, "failed_at")))
                .list();
    }

    long countPipelineRuns(long alarm) {
        return count("orth_alarm_pipeline_run", alarm);
    }

    private long count(String table, long alarm) {
        return jdbc.sql("select count(*) from %s where alarm_id = :alarm".formatted(table))
                .param("alarm", alarm)
                .query(Long.class)
                .single();
    }
}
