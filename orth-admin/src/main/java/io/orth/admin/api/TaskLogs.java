package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineTasks.Attempt;
import io.orth.admin.triggering.RunLogs;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Reader of the ends of task logs, which the executors keep. Takes a limited time whatever the executors do: an executor that does not
 * respond is asked once, and no executor is asked after the time limit. If a log cannot be read, the result contains the reason.
 */
@Component
final class TaskLogs {

    static final int MOST_BYTES = 16_384;

    private static final Duration TIME = Duration.ofSeconds(10);

    /** Longer than a message waits between its claim and the start of its task. */
    private static final Duration EARLIER = Duration.ofHours(1);

    private final RunLogs logs;
    private final Ticker ticker;

    TaskLogs(RunLogs logs, Ticker ticker) {
        this.logs = logs;
        this.ticker = ticker;
    }

    /**
     * Log of a task's latest attempt.
     *
     * @param size size of the log in bytes
     * @param text end of the log; null if it could not be read
     * @param problem why the log could not be read; null if it could
     */
    record TaskLogView(@JsonUnwrapped Attempt latest, String stage, Long size, String text, String problem) {

        private static TaskLogView of(PipelineRun run, Attempt latest, Long size, String text, String problem) {
            return new TaskLogView(latest, run.stages().get(latest.stage()).name(), size, text, problem);
        }

        /** Returns whether the log is longer than the text. */
        boolean isCut() {
            return size != null && size > MOST_BYTES;
        }
    }

    /** Reads the logs of these attempts. Must not be called in a transaction, because it waits for executors. */
    List<TaskLogView> read(PipelineRun run, List<Attempt> attempts) throws InterruptedException {
        long deadline = ticker.nanos() + TIME.toNanos();
        Map<Long, String> silent = new HashMap<>();
        List<TaskLogView> read = new ArrayList<>();
        for (Attempt attempt : attempts) {
            if (ticker.nanos() - deadline >= 0) {
                silent.putIfAbsent(attempt.executorId(), "there was no time left to ask its executor");
            }
            read.add(read(run, attempt, silent));
        }
        return read;
    }

    private TaskLogView read(PipelineRun run, Attempt attempt, Map<Long, String> silent) throws InterruptedException {
        String known = silent.get(attempt.executorId());
        if (known != null) {
            return TaskLogView.of(run, attempt, null, null, known);
        }
        try {
            LogRange end = end(attempt);
            return TaskLogView.of(run, attempt, end.size(), end.text(), null);
        } catch (OrthException e) {
            silent.put(attempt.executorId(), e.getMessage());
            return TaskLogView.of(run, attempt, null, null, e.getMessage());
        }
    }

    /** Reads from the start first, because most logs are short. A log is stored under the day of the claim, which may be the day before. */
    private LogRange end(Attempt attempt) throws InterruptedException {
        LogRange range = piece(attempt, 0, MOST_BYTES);
        return range.size() <= MOST_BYTES ? range : piece(attempt, range.size() - MOST_BYTES, MOST_BYTES);
    }

    /** Returns at most {@code limit} bytes of the log from byte {@code from}. Waits for the executor. */
    LogRange piece(Attempt attempt, long from, int limit) throws InterruptedException {
        Instant day = attempt.startedAt();
        LogRange range = ask(attempt, day, from, limit);
        return range.exists() ? range : ask(attempt, day.minus(EARLIER), from, limit);
    }

    private LogRange ask(Attempt attempt, Instant day, long from, int limit) throws InterruptedException {
        return logs.read(attempt.executorId(), new LogRangeRequest(attempt.logId(), day.toEpochMilli(), from, limit));
    }
}
