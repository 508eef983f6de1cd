package io.orth.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Server processes of a data directory whose owner has died. */
final class Leftovers {

    private static final Logger log = LoggerFactory.getLogger(Leftovers.class);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Path data;

    private Leftovers(Path data) {
        this.data = data;
    }

    static Leftovers of(Path data) {
        return new Leftovers(data);
    }

    /**
     * Stops the processes, first by a fast shutdown, then by force. The caller holds the directory's lock, so none of them has an owner.
     * A pid file that remains afterwards names an unrelated process and would prevent a new server from starting, so it is deleted.
     */
    void stop(Duration limit) {
        List<ProcessHandle> processes = processes();
        if (!processes.isEmpty()) {
            log.atWarn()
                    .addKeyValue("directory", data)
                    .addKeyValue(
                            "pids", processes.stream().map(ProcessHandle::pid).toList())
                    .log("stopping a postgresql that was left behind");
            postmasters(processes).forEach(Signal.FAST_SHUTDOWN::send);
            if (!awaitEnd(processes, limit)) {
                processes.forEach(ProcessHandle::destroyForcibly);
                awaitEnd(processes, KILL_LIMIT);
            }
        }
        removeStalePidFile();
    }

    private void removeStalePidFile() {
        if (!processes().isEmpty()) {
            throw new EmbeddedPostgresException(
                    "A PostgreSQL that was left behind in %s cannot be stopped; stop its processes by hand."
                            .formatted(data));
        }
        try {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "%s cannot be removed (%s).".formatted(data.resolve("postmaster.pid"), Directories.reason(e)), e);
        }
    }

    /**
     * Returns the first process of each server. The other processes are its children and end with it, unless the first one is already
     * dead.
     */
    private static List<ProcessHandle> postmasters(List<ProcessHandle> processes) {
        return processes.stream()
                .filter(process -> process.parent().filter(processes::contains).isEmpty())
                .toList();
    }

    private List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses().filter(this::isServerOfThisData).toList();
    }

    /**
     * A server has its data directory as working directory and as an argument. The argument is also visible for other users' processes.
     */
    private boolean isServerOfThisData(ProcessHandle process) {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        List<String> arguments = arguments(process, proc);
        if (arguments.isEmpty() || !isPostgres(arguments.get(0))) {
            return false;
        }
        return arguments.contains(data.toString()) || worksIn(proc);
    }

    private static boolean isPostgres(String program) {
        return program.endsWith("/postgres") || program.startsWith("postgres:");
    }

    private boolean worksIn(Path proc) {
        try {
            return Files.readSymbolicLink(proc.resolve("cwd")).equals(data);
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> arguments(ProcessHandle process, Path proc) {
        try {
            String line = new String(Files.readAllBytes(proc.resolve("cmdline")), StandardCharsets.UTF_8);
            return List.of(line.split("\0"));
        } catch (IOException e) {
            ProcessHandle.Info info = process.info();
            return Stream.concat(
                            info.command().stream(), info.arguments().stream().flatMap(Arrays::stream))
                    .toList();
        }
    }

    /** Polls, because Java never reports the end of a dead process whose parent has not reaped it. */
    private boolean awaitEnd(List<ProcessHandle> processes, Duration limit) {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        long deadline = System.nanoTime() + limit.toNanos();
        while (!processes().isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            awaitAll(ends);
        }
        return true;
    }

    private static void awaitAll(CompletableFuture<?>[] ends) {
        try {
            CompletableFuture.allOf(ends).get(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // The caller checks the processes themselves.
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("Interrupted while stopping a PostgreSQL that was left behind.", e);
        }
    }
}
