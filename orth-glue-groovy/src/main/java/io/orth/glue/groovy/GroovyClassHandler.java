package io.orth.glue.groovy;

import io.orth.executor.GlueInjector;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.time.Duration;

/** A handler backed by a Groovy class. A new object of the class is created for each cycle from init to destroy. */
final class GroovyClassHandler implements JobHandler {

    private final Class<? extends JobHandler> type;
    private final GlueInjector injector;

    /** Set between init and destroy, which never overlap with each other or with a run. */
    private volatile JobHandler handler;

    GroovyClassHandler(Class<? extends JobHandler> type, GlueInjector injector) {
        this.type = type;
        this.injector = injector;
    }

    @Override
    public void init() throws Exception {
        JobHandler made = type.getDeclaredConstructor().newInstance();
        injector.inject(made);
        made.init();
        handler = made;
    }

    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        return handler.execute(context);
    }

    @Override
    public Duration retryDelay(int attempt, Throwable error) throws Exception {
        JobHandler current = handler;
        return current == null ? null : current.retryDelay(attempt, error);
    }

    @Override
    public void destroy() throws Exception {
        JobHandler ending = handler;
        handler = null;
        ending.destroy();
    }
}
