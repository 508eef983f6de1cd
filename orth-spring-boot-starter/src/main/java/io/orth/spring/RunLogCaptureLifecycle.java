package io.orth.spring;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Captures what runs log from before the executor starts until after it has stopped; does nothing if SLF4J is not Logback. */
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

    /** Just before the executor when starting, just after it when stopping. */
    @Override
    public int getPhase() {
        return OrthExecutorLifecycle.PHASE - 1;
    }

    /** Goes with the executor. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
