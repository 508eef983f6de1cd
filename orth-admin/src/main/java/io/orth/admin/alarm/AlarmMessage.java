package io.orth.admin.alarm;

import java.time.Instant;
import java.util.List;

/**
 * What a channel is told.
 *
 * @param alarmId names the alarm: who gets the same one twice may drop the second; 0 for a test
 * @param count how many runs or notices it is about, of which {@code runs} and {@code pipelineRuns}, or {@code notices}, have the first
 *     ones
 * @param console where the console is; empty where that is not known
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

    /** Null where it is not known where the console is. */
    String urlOf(AlarmNotice notice) {
        String page = notice.queue() == null ? "executors" : "queues/" + notice.queue();
        return console.isEmpty() ? null : "%s/%s".formatted(console, page);
    }

    /** Null where it is not known where the console is. */
    String urlOf(FailedPipelineRun run) {
        return console.isEmpty() ? null : "%s/pipeline-runs/%d".formatted(console, run.runId());
    }

    /** A failed run, as it is told; {@code url} is null where it is not known where the console is. */
    record Told(
            long runId,
            int jobId,
            String job,
            String group,
            String status,
            int triggerCode,
            int handleCode,
            int attempt,
            String message,
            Instant finishedAt,
            String url) {}
}
