package io.orth.e2e;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server of its own, which can be killed as a whole and comes back where it was. */
final class KillableDatabase implements AutoCloseable {

    private final Path directory;
    private EmbeddedPostgres server;

    private KillableDatabase(Path directory, EmbeddedPostgres server) {
        this.directory = directory;
        this.server = server;
    }

    static KillableDatabase in(Path directory) {
        return new KillableDatabase(directory, EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory)));
    }

    Database database() {
        return new Database(server.jdbcUrl(), server.user(), server.password());
    }

    /** With kill -9, all processes; they have ended when this returns. */
    void kill() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(directory.resolve("cluster/postmaster.pid")).get(0));
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        postmaster.descendants().forEach(ProcessHandle::destroyForcibly);
        postmaster.destroyForcibly();
        server.ended().join();
        server.stop();
    }

    void startAgain() {
        server = EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory).withPort(server.port()));
    }

    @Override
    public void close() {
        server.close();
    }
}
