package io.orth.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A small process that stops the server when this process ends for any reason: it waits for the end of a pipe whose other end only this
 * process holds.
 */
final class Lifeline {

    /** Stops the server with the pid in the second argument if it is still the server of the data directory in the first. */
    private static final String WATCH = """
            trap '' HUP INT TERM
            while read -r line; do :; done
            read -r server < "$1/postmaster.pid" && [ "$server" = "$2" ] && kill -INT "$2"
            """;

    private final Process watcher;

    private Lifeline(Process watcher) {
        this.watcher = watcher;
    }

    static Lifeline to(long server, Path data) {
        List<String> command =
                List.of("sh", "-c", WATCH, "orth-postgres-lifeline", data.toString(), Long.toString(server));
        try {
            return new Lifeline(Commands.builder(Session.own(command))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The watcher of PostgreSQL cannot be started: %s.".formatted(e.getMessage()), e);
        }
    }

    /** Ends the watcher without affecting the server, which has ended or is about to end. */
    void cut() {
        watcher.destroyForcibly();
    }
}
