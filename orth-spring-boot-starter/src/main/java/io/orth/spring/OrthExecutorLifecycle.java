package io.orth.spring;

import io.orth.executor.OrthExecutor;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the executor when all beans are ready and stops it before any of them goes away. The phase puts it next to the web
 * server: started late, stopped early.
 */
final class OrthExecutorLifecycle implements SmartLifecycle {

    private final OrthExecutor executor;
    private volatile boolean running;

    OrthExecutorLifecycle(OrthExecutor executor) {
        this.executor = executor;
    }

    @Override
    public void start() {
        executor.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        executor.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
