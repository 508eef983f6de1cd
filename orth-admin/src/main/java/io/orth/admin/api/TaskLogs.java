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
 * Reads the ends of what handlers have written, from the executors that keep it. Takes a few seconds at most, whatever they do: one
 * that does not answer is asked once, and when the time is up nobody is asked any more. What could not be had says why.
 */
@Component
final class TaskLogs {

    static final int MOST_BYTES = 16_384;

    private static final Duration TIME = Duration.ofSeconds(10);

    /** Longer than a message waits between being given out and its task being begun. */
    private static final Duration EARLIER = Duration.ofHours(1);

    private final RunLogs logs;
    private final Ticker ticker;

    TaskLogs(RunLogs logs, Ticker ticker) {
        this.logs = logs;
        this.ticker = ticker;
    }

    /**
     * What the handler of a task has written in its latest attempt.
     *
     * @param size how many bytes that is
     * @param text the last of it; null where it could not be had
     * @param problem why it could not be had; null where it could
     */
    record TaskLogView(@JsonUnwrapped Attempt latest, String stage, Long size, String text, String problem) {

        private static TaskLogView of(PipelineRun run, Attempt latest, Long size, String text, String problem) {
            return new TaskLogView(latest, run.stages().get(latest.stage()).name(), size, text, problem);
        }

        /** Whether there is more than the text. */
        boolean isCut() {
            return size != null && size > MOST_BYTES;
        }
    }

    /** Not to be called in a transaction: it waits for executors. */
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

    /** Mostly all of it is little. A log is kept under the day on which the message was given out, which may be the one before. */
    private LogRange end(Attempt attempt) throws InterruptedException {
        LogRange range = piece(attempt, 0, MOST_BYTES);
        return range.size() <= MOST_BYTES ? range : piece(attempt, range.size() - MOST_BYTES, MOST_BYTES);
    }

    /** At most {@code limit} bytes of what the handler has written, from byte {@code from} on. Waits for the executor. */
    LogRange piece(Attempt attempt, long from, int limit) throws InterruptedException {
        Instant day = attempt.startedAt();
        LogRange range = ask(attempt, day, from, limit);
        return range.exists() ? range : ask(attempt, day.minus(EARLIER), from, limit);
    }

    private LogRange ask(Attempt attempt, Instant day, long from, int limit) throws InterruptedException {
        return logs.read(attempt.executorId(), new LogRangeRequest(attempt.logId(), day.toEpochMilli(), from, limit));
    }
}
