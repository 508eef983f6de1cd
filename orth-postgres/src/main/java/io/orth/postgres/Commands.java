package io.orth.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs short programs to completion. */
final class Commands {

    /** Exit code of a program and its output on both streams. */
    record Ended(int code, String output) {

        boolean succeeded() {
            return code == 0;
        }
    }

    private static final int NOT_FOUND = 127;

    private Commands() {}

    /** Runs a program in a neutral environment; a program that cannot be started counts as failed. */
    static Ended run(List<String> command, Duration limit) {
        try {
            return run(builder(command).start(), limit);
        } catch (IOException e) {
            return new Ended(NOT_FOUND, e.getMessage());
        } catch (TimeoutException e) {
            throw new EmbeddedPostgresException(
                    "%s did not end within %d s.".formatted(command.get(0), limit.toSeconds()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("Interrupted while waiting for %s.".formatted(command.get(0)), e);
        }
    }

    private static Ended run(Process process, Duration limit)
            throws IOException, TimeoutException, InterruptedException {
        try {
            process.getOutputStream().close();
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> readAll(process));
            String text = output.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return new Ended(process.waitFor(), text);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            process.destroyForcibly();
        }
    }

    private static String readAll(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // Variables such as PGDATA, PGPORT or LC_ALL from Orth's own environment must not affect the server.
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }
}
