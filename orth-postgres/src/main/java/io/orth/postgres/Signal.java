package io.orth.postgres;

import java.time.Duration;
import java.util.List;

/** Signals for stopping a PostgreSQL server that Java has no method for. */
enum Signal {
    /** Disconnects the clients, writes all data and ends. */
    FAST_SHUTDOWN("INT"),
    /** Ends immediately; the next start recovers as after a crash. */
    IMMEDIATE_SHUTDOWN("QUIT");

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final String name;

    Signal(String name) {
        this.name = name;
    }

    void send(ProcessHandle process) {
        Commands.run(List.of("sh", "-c", "kill -%s %d".formatted(name, process.pid())), LIMIT);
    }
}
