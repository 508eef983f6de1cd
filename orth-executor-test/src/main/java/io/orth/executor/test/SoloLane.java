package io.orth.executor.test;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.LaneSettings;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.log.RunLogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** The lanes of an executor for one run of one handler, with a temporary directory that is deleted afterwards. */
final class SoloLane implements AutoCloseable {

    private static final String INSTANCE = "test";
    private static final long MAX_LOG_BYTES = 256L * 1024 * 1024;
    private static final LaneSettings LANES = new LaneSettings(Duration.ofSeconds(1), 1, 1, Duration.ofSeconds(1));

    private final Duration patience;
    private final Path directory;
    private final RunLogFiles logs;
    private final JobThreads lanes;
    private final TriggerDesk desk;
    private final CompletableFuture<RunResult> result = new CompletableFuture<>();
    private volatile PipelineTaskContext task;

    SoloLane(JobHandler handler, Duration patience) {
        this.patience = patience;
        this.directory = createDirectory();
        this.logs = new RunLogFiles(directory, Clock.systemUTC(), MAX_LOG_BYTES);
        RunMemory memory = new RunMemory(1);
        StartGate gate = new StartGate();
        this.lanes = new JobThreads(LANES, logs, memory, this::finished, gate);
        this.desk = new TriggerDesk(INSTANCE, trigger -> handler, logs, memory, lanes, gate);
    }

    private void finished(OrthJobContext run, RunResult outcome, Duration took) {
        task = run.task().orElse(null);
        result.complete(outcome);
    }

    /** Returns the task of the run once it has ended; null if the run had none. */
    PipelineTaskContext task() {
        return task;
    }

    /**
     * @param offer hands the work to the desk
     * @param cancellation cancels the run when it completes
     */
    FinishedRun run(
            long logId,
            Instant triggerTime,
            Function<TriggerDesk, Optional<String>> offer,
            CompletionStage<?> cancellation) {
        Path log = logs.pathOf(logId, triggerTime.toEpochMilli());
        Optional<String> refusal = offer.apply(desk);
        if (refusal.isPresent()) {
            throw new IllegalArgumentException(refusal.get());
        }
        cancellation.thenRun(() -> lanes.killRuns(List.of(logId), "cancelled by the test"));
        RunResult outcome = await(log);
        // When the lane has ended, the handler has been destroyed and its last log lines are written.
        stop(patience);
        return new FinishedRun(outcome, textOf(log));
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
        deleteDirectory();
    }

    private RunResult await(Path log) {
        try {
            return result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "the run has not ended within %s; its log so far:%n%s".formatted(patience, textOf(log)), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the run", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the run has no result", e);
        }
    }

    private void stop(Duration grace) {
        try {
            lanes.stop(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String textOf(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path createDirectory() {
        try {
            return Files.createTempDirectory("orth-test-run");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteDirectory() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
