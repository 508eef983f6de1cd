package io.orth.executor.internal.script;

import io.orth.executor.GlueHandlerFactory;
import io.orth.executor.GlueInjector;
import io.orth.executor.GlueSourceException;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.time.Duration;

/** One version of a job's source that runs in this JVM. It is compiled once, when a job thread first needs it. */
final class GlueJobHandler implements JobHandler {

    private final int jobId;
    private final String source;
    private final GlueHandlerFactory factory;
    private final GlueInjector injector;

    // Written by init(), which never overlaps with itself or with a run; read by the threads of runs.
    private volatile JobHandler compiled;
    private volatile String mistake;

    GlueJobHandler(int jobId, String source, GlueHandlerFactory factory, GlueInjector injector) {
        this.jobId = jobId;
        this.source = source;
        this.factory = factory;
        this.injector = injector;
    }

    /** Compiles the source. A compile error is stored and reported by each run, because the same text would fail again. */
    @Override
    public void init() throws Exception {
        if (compiled == null && mistake == null) {
            try {
                compiled = factory.compile("OrthGlue_" + Integer.toUnsignedString(jobId), source, injector);
            } catch (GlueSourceException e) {
                mistake = e.getMessage();
            }
        }
        if (compiled != null) {
            compiled.init();
        }
    }

    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        return compiled == null ? RunResult.fail(mistake) : compiled.execute(context);
    }

    @Override
    public Duration retryDelay(int attempt, Throwable error) throws Exception {
        return compiled == null ? null : compiled.retryDelay(attempt, error);
    }

    @Override
    public void destroy() throws Exception {
        if (compiled != null) {
            compiled.destroy();
        }
    }

    @Override
    public String toString() {
        return "%s of job %d".formatted(factory.glueType(), jobId);
    }
}
