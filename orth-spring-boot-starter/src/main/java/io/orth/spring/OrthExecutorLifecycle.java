package io.orth.spring;

import io.orth.executor.OrthExecutor;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the executor after everything else and stops it before everything else: it takes no trigger that the application could
 * not work on, and jobs can use every bean, pool, listener and web server until they end. Stopping waits for them, however long
 * the context would wait for a phase: the limit is the executor's own grace.
 */
final class OrthExecutorLifecycle implements SmartLifecycle {

    enum State {
        NEW,
        RUNNING,
        STOPPING,
        STOPPED
    }

    /** Last to start, first to stop; the web server's phases are below it. */
    static final int PHASE = Integer.MAX_VALUE;

    private final OrthExecutor executor;
    private volatile State state = State.NEW;

    OrthExecutorLifecycle(OrthExecutor executor) {
        this.executor = executor;
    }

    @Override
    public void start() {
        executor.start();
        state = State.RUNNING;
    }

    @Override
    public void stop() {
        state = State.STOPPING;
        executor.close();
        state = State.STOPPED;
    }

    @Override
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    State state() {
        return state;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** An executor starts once, so a context that is only put aside between tests keeps it. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
