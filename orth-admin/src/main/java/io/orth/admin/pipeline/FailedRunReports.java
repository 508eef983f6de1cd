package io.orth.admin.pipeline;

import io.orth.admin.alarm.Alarms;
import io.orth.admin.alarm.FailedPipelineRun;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Reports of failed runs: sent to the alarm channels in the transaction that finishes the run, and to the system log after commit. */
@Component
final class FailedRunReports {

    private static final int MAX_NAMED_TASKS = 5;
    private static final int MAX_ERROR_LENGTH = 100;

    private final Alarms alarms;
    private final SystemLog log;
    private final Queues queues;
    private final TaskRepository tasks;

    FailedRunReports(Alarms alarms, SystemLog log, Queues queues, PipelineTables tables) {
        this.alarms = alarms;
        this.log = log;
        this.queues = queues;
        this.tasks = tables.tasks;
    }

    /** @param stage the stage whose failures exceed its tolerance */
    void report(PipelineRun run, Progress stage, Instant at) {
        String message = "stage %s: %d of %d tasks failed: %s"
                .formatted(stage.name(), stage.failed(), stage.expected(), failedTasks(run, stage));
        alarms.tell(new FailedPipelineRun(run.id(), run.pipeline(), groupOf(run, stage), message, at));
        Transactions.afterCommit(() -> log.error(
                "%s of %s is FAILED: %s".formatted(AboutRun.text(run.id(), run.traceId()), run.pipeline(), message)));
    }

    private Integer groupOf(PipelineRun run, Progress stage) {
        return Optional.ofNullable(run.stages().get(stage.stage()).queue())
                .flatMap(queues::find)
                .map(Queue::groupId)
                .orElse(null);
    }

    private String failedTasks(PipelineRun run, Progress stage) {
        String named = tasks.lockFailed(run.id(), stage.stage(), stage.stage(), null, MAX_NAMED_TASKS).stream()
                .map(FailedRunReports::words)
                .collect(Collectors.joining(", "));
        long more = stage.failed() - MAX_NAMED_TASKS;
        return more > 0 ? "%s and %d more".formatted(named, more) : named;
    }

    private static String words(PipelineTask task) {
        String target = "%s %s".formatted(task.targetType(), task.targetId());
        String error = task.error() == null
                ? null
                : Json.readObject(task.error().getBytes(StandardCharsets.UTF_8)).text("message");
        return error == null || error.isBlank() ? target : "%s (%s)".formatted(target, cut(error.strip()));
    }

    private static String cut(String error) {
        String line = error.lines().findFirst().orElse("");
        int end = line.offsetByCodePoints(0, Math.min(MAX_ERROR_LENGTH, line.codePointCount(0, line.length())));
        return end < line.length() ? line.substring(0, end) + "…" : line;
    }
}
