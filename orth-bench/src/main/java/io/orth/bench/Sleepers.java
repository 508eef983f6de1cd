package io.orth.bench;

import io.orth.protocol.BlockStrategy;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Ten thousand runs of one CONCURRENT job that all sleep at the same time, in an executor with a heap of 512 MB: how long it
 * takes them in, what they cost, and whether each result arrives exactly once.
 */
final class Sleepers implements Benchmark {

    private static final int RUNS = 10_000;
    private static final int HEAP_MEGABYTES = 512;
    private static final int BATCH = 500;
    private static final int SLEEPING_JOB = 1;
    private static final int WAKING_JOB = 2;
    private static final long WAKING_RUN = RUNS + 1L;
    private static final long ANY_TIME = 1_893_499_200_000L;
    private static final String TOKEN = "bench-token";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newHttpClient();

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", 1)
                .setting("runs", RUNS)
                .setting("runsPerRequest", BATCH)
                .setting("executor.heapMegabytes", HEAP_MEGABYTES);
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (CountingAdmin admin = new CountingAdmin()) {
            Process executor = start(admin, directory);
            try {
                measure(findings, admin, executor);
            } finally {
                end(executor);
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private void measure(Findings findings, CountingAdmin admin, Process executor)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        admin.await("registration", PATIENCE, () -> admin.registration() != null || !executor.isAlive());
        Registration registration = admin.registration();
        if (registration == null) {
            throw new IllegalStateException("the executor ended with " + executor.exitValue());
        }
        long startMillis = millisSince(began);

        began = System.nanoTime();
        int accepted = 0;
        for (long first = 1; first <= RUNS; first += BATCH) {
            accepted += send(registration, sleepers(first));
        }
        long acceptMillis = millisSince(began);
        admin.await("beat with all of them asleep", PATIENCE, () -> admin.mostRunning() >= RUNS);
        long asleepMillis = millisSince(began);

        began = System.nanoTime();
        send(
                registration,
                List.of(TriggerRequest.of(WAKING_JOB, SleeperExecutor.WAKE, WAKING_RUN, ANY_TIME)
                        .instanceId(registration.instance().id())
                        .build()));
        admin.await("results", PATIENCE, () -> admin.reported() > RUNS);
        long resultsMillis = millisSince(began);
        findings.note("startMillis", startMillis, "ms")
                .check("accepted", accepted, "runs", "all " + RUNS, accepted == RUNS)
                .note("acceptMillis", acceptMillis, "ms")
                .check("mostAsleepAtOnce", admin.mostRunning(), "runs", "all " + RUNS, admin.mostRunning() >= RUNS)
                .note("allAsleepMillis", asleepMillis, "ms")
                .check(
                        "peakHeapMegabytes",
                        admin.mostHeapMegabytes(),
                        "MB",
                        "at most " + HEAP_MEGABYTES,
                        admin.mostHeapMegabytes() <= HEAP_MEGABYTES)
                .note("peakResidentMegabytes", admin.mostResidentMegabytes(), "MB")
                .check("reported", admin.reported(), "runs", "each", admin.reported() == RUNS + 1)
                .check("repeated", admin.repeated(), "runs", "none", admin.repeated() == 0)
                .check("failed", admin.failures(), "runs", "none", admin.failures() == 0)
                .note("allResultsMillis", resultsMillis, "ms");
    }

    private static Process start(CountingAdmin admin, Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx%dm".formatted(HEAP_MEGABYTES),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SleeperExecutor.class.getName(),
                        admin.address(),
                        directory.toString(),
                        TOKEN)
                .inheritIO()
                .start();
    }

    private static void end(Process executor) throws InterruptedException {
        executor.destroy();
        if (!executor.waitFor(30, TimeUnit.SECONDS)) {
            executor.destroyForcibly().waitFor();
        }
    }

    private static List<TriggerRequest> sleepers(long first) {
        return LongStream.range(first, Math.min(first + BATCH, RUNS + 1L))
                .mapToObj(id -> TriggerRequest.of(SLEEPING_JOB, SleeperExecutor.SLEEP, id, ANY_TIME)
                        .blockStrategy(BlockStrategy.CONCURRENT)
                        .concurrency(RUNS)
                        .build())
                .toList();
    }

    /** Returns how many were accepted. */
    private int send(Registration to, List<TriggerRequest> triggers) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(to.address()).resolve("." + ExecutorPaths.RUN_BATCH))
                .header(Headers.ACCESS_TOKEN, TOKEN)
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(new TriggerBatch(triggers))))
                .build();
        byte[] answer =
                http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
        return (int) TriggerBatchReply.from(Reply.from(Json.readObject(answer)).payloadObject()).outcomes().stream()
                .filter(outcome -> outcome.code() == Codes.SUCCESS)
                .count();
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
