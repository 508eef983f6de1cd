package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;
import java.util.List;

/**
 * Content of an alarm.
 *
 * @param alarmId lets a receiver recognise a repeated alarm; 0 for a test
 * @param count total number of runs and notices; the lists contain only the first ones
 * @param console address of the console; empty if it is not configured
 */
record AlarmMessage(
        long alarmId,
        String channel,
        String environment,
        long count,
        List<Told> runs,
        List<FailedPipelineRun> pipelineRuns,
        List<AlarmNotice> notices,
        String console) {

    static AlarmMessage ofRuns(long alarmId, String channel, String environment, long count, List<Told> runs) {
        return new AlarmMessage(alarmId, channel, environment, count, runs, List.of(), List.of(), "");
    }

    String urlOf(AlarmNotice notice) {
        return url(notice.queue() == null ? "executors" : "queues/" + notice.queue());
    }

    String urlOf(FailedPipelineRun run) {
        return url("pipeline-runs/" + run.runId());
    }

    String urlOf(Told run) {
        return url("runs/" + run.runId());
    }

    /** Returns null if the address of the console is not configured. */
    private String url(String page) {
        return console.isEmpty() ? null : console + "/" + page;
    }

    /** A failed run of a job. */
    record Told(
            @JsonFormat(shape = Shape.STRING) long runId,
            @JsonFormat(shape = Shape.STRING) int jobId,
            String job,
            String group,
            String status,
            int triggerCode,
            int handleCode,
            int attempt,
            String message,
            Instant finishedAt) {}
}
