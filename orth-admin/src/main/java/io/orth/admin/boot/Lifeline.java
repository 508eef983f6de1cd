package io.orth.admin.boot;

import io.orth.runtime.Threads;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Ends the process in good order when standard input ends, because whoever started it is gone. */
@Component
final class Lifeline implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Lifeline.class);

    private final boolean watch;
    private volatile boolean running;

    Lifeline(OrthProperties properties) {
        this.watch = properties.lifeline() == OrthProperties.Lifeline.STDIN;
    }

    @Override
    public void start() {
        running = true;
        if (watch) {
            Threads.service("lifeline", this::waitForTheEnd).start();
        }
    }

    private void waitForTheEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing that is said here matters; only that someone is there.
            }
        } catch (IOException e) {
            log.debug("standard input cannot be read", e);
        }
        log.info("whoever started this node is gone; stopping");
        System.exit(0);
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
