package io.orth.spring;

import io.orth.executor.OrthExecutor;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the executor after all other components and stops it before them. It therefore accepts no trigger that the application
 * could not process, and jobs can use every bean, pool, listener and web server until they end. Stopping waits for the jobs up to
 * the executor's own grace period, independent of the context's timeout per shutdown phase.
 */
final class OrthExecutorLifecycle implements SmartLifecycle {

    enum State {
        NEW,
        RUNNING,
        STOPPING,
        STOPPED
    }

    /** Last to start and first to stop; the web server's phases are lower. */
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

    /** Returns false because an executor can be started once only; a context that is merely paused between tests keeps it running. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
