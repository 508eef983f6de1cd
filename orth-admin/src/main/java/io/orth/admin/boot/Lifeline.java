package io.orth.admin.boot;

import io.orth.runtime.Threads;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Watcher that shuts the process down gracefully when standard input ends, because its parent process has exited. */
@Component
final class Lifeline implements ApplicationRunner {

    private static final Logger log = LoggerFactory.getLogger(Lifeline.class);

    private final boolean watch;

    Lifeline(OrthProperties properties) {
        this.watch = properties.lifeline() == OrthProperties.Lifeline.STDIN;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        if (watch) {
            Threads.service("lifeline", Lifeline::waitForTheEnd).start();
        }
    }

    private static void waitForTheEnd() {
        try {
            while (System.in.read() >= 0) {
                // The input itself is ignored; only its end matters.
            }
        } catch (IOException e) {
            log.debug("standard input cannot be read", e);
        }
        log.info("whoever started this node is gone; stopping");
        System.exit(0);
    }
}
