package io.orth.testkit;

import io.orth.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that runs a build's PostgreSQL server and ends with it as soon as the build's process has ended, however it
 * did. Killed itself, it leaves a directory that the next start of any test server removes; the server ends either way.
 */
final class Guardian {

    /** Said on standard output once the server's address is known. */
    static final String READY = "ready";

    private static final long LOOK_EVERY_MILLIS = 500;

    private Guardian() {}

    /** Arguments: the process id of the build, the file for the server's address. */
    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        Build build = Build.of(Long.parseLong(args[0])).orElseThrow();
        Path file = Path.of(args[1]);
        OwnServer server = OwnServer.start();
        // In a hook, so that a request to end is a request to clean up too.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, file)));
        server.address().write(file);
        System.out.println(READY);
        await(build, server.postgres());
    }

    private static void await(Build build, EmbeddedPostgres postgres) throws InterruptedException, ExecutionException {
        while (build.isRunning()) {
            try {
                postgres.ended().get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                // The server lives; the loop asks whether the build does.
            }
        }
    }

    private static void end(OwnServer server, Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            server.close();
        }
    }
}
