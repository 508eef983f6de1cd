package io.orth.admin.boot;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.runtime.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Watcher that stops the process when the embedded PostgreSQL exits unexpectedly. */
final class EmbeddedDatabaseWatch implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabaseWatch.class);

    private final EmbeddedPostgres postgres;
    private volatile boolean running;

    EmbeddedDatabaseWatch(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    @Override
    public void start() {
        running = true;
        Threads.service("database-watch", this::waitForTheEnd).start();
    }

    private void waitForTheEnd() {
        postgres.ended().join();
        if (running) {
            log.error("the embedded PostgreSQL has ended unasked; its log is in the data directory; stopping");
            System.exit(1);
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
