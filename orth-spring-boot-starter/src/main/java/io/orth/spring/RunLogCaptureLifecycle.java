package io.orth.spring;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Captures the log output of runs from before the executor starts until after it has stopped. Does nothing if SLF4J is not bound
 * to Logback.
 */
final class RunLogCaptureLifecycle implements SmartLifecycle {

    private volatile boolean running;

    @Override
    public void start() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            RunLogCapture.begin(context);
            running = true;
        }
    }

    @Override
    public void stop() {
        if (running && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            RunLogCapture.end(context);
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Just before the executor on start, just after it on stop. */
    @Override
    public int getPhase() {
        return OrthExecutorLifecycle.PHASE - 1;
    }

    /** Pauses as the executor does. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
