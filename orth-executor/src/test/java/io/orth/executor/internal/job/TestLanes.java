package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.Triggers;
import io.orth.executor.internal.job.TriggerDesk.BusyException;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.TriggerRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Lanes for tests: settings to choose, a watch to move, and every result written down as {@code logId:code text}. */
final class TestLanes {

    static final Duration NEVER = Duration.ofHours(1);
    static final Duration GRACE = Duration.ofSeconds(10);
    static final int JOB = 7;

    final RunMemory memory = new RunMemory(100_000);
    final StartGate gate = new StartGate();
    final ManualWatch watch = new ManualWatch();
    final List<String> results = Collections.synchronizedList(new ArrayList<>());
    final JobThreads lanes;

    private TestLanes(Path directory, LaneSettings settings) {
        lanes = new JobThreads(settings, new Surroundings(logs(directory), memory, this::finished, gate, watch));
    }

    private TestLanes(Path directory) {
        LaneSettings settings = new LaneSettings(NEVER, 30, 1_000, GRACE);
        lanes = new JobThreads(settings, logs(directory), memory, this::finished, gate);
    }

    private static RunLogFiles logs(Path directory) {
        return new RunLogFiles(directory, Clock.systemUTC(), 1_000_000);
    }

    /** Lanes with the watch of the executor instead of one to move. */
    static TestLanes inRealTime(Path directory) {
        return new TestLanes(directory);
    }

    /** Lanes that do not end by themselves. */
    static TestLanes in(Path directory) {
        return new TestLanes(directory, new LaneSettings(NEVER, 30, 1_000, GRACE));
    }

    static TestLanes in(Path directory, Duration poll, int idlePolls) {
        return new TestLanes(directory, new LaneSettings(poll, idlePolls, 1_000, GRACE));
    }

    Optional<String> serial(JobHandler handler, long logId) {
        return submit(handler, logId, BlockStrategy.SERIAL, 1, 0);
    }

    Optional<String> discard(JobHandler handler, long logId) {
        return submit(handler, logId, BlockStrategy.DISCARD, 1, 0);
    }

    Optional<String> cover(JobHandler handler, long logId) {
        return submit(handler, logId, BlockStrategy.COVER, 1, 0);
    }

    Optional<String> concurrent(JobHandler handler, long logId, int concurrency) {
        return submit(handler, logId, BlockStrategy.CONCURRENT, concurrency, 0);
    }

    Optional<String> submit(
            JobHandler handler, long logId, BlockStrategy strategy, int concurrency, int timeoutSeconds) {
        TriggerRequest trigger = TriggerRequest.of(JOB, "h", logId, Triggers.TRIGGERED_AT)
                .params("p")
                .scheduleTime(Triggers.TRIGGERED_AT - 5)
                .traceId("trace-1")
                .shard(2, 5)
                .blockStrategy(strategy)
                .concurrency(concurrency)
                .timeoutSeconds(timeoutSeconds)
                .build();
        try {
            return memory.admit(logId, 1, () -> lanes.submit(new Work(trigger, handler)));
        } catch (BusyException e) {
            return Optional.of(e.getMessage());
        }
    }

    void stop() throws InterruptedException {
        lanes.stop(Duration.ofSeconds(20));
    }

    private void finished(OrthJobContext run, RunResult result, Duration took) {
        String text =
                result.text() == null ? "" : result.text().lines().findFirst().orElse("");
        results.add("%d:%d %s".formatted(run.logId(), result.code(), text).strip());
    }
}
