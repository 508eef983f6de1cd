package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Threads;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.RunLogs;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The live logs being watched on this node, each on a thread of its own; there is a limit to how many. */
@Component
final class LogStreams implements SmartLifecycle {

    private static final int MOST = 200;
    private static final long NO_TIMEOUT = 0L;

    private final Runs runs;
    private final RunLogs logs;
    private final ExecutorService threads = Threads.pool("log-stream", MOST);
    private final Set<LogStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    LogStreams(Runs runs, RunLogs logs) {
        this.runs = runs;
        this.logs = logs;
    }

    SseEmitter open(long runId, long from) {
        SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
        LogStream stream = new LogStream(runs, logs, runId, from, emitter);
        emitter.onCompletion(stream::close);
        emitter.onError(failure -> stream.close());
        try {
            threads.execute(() -> follow(stream));
        } catch (RejectedExecutionException e) {
            throw OrthException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "%d logs are being watched already; close one".formatted(MOST));
        }
        return emitter;
    }

    private void follow(LogStream stream) {
        open.add(stream);
        try {
            stream.follow();
        } finally {
            open.remove(stream);
        }
    }

    @Override
    public void start() {
        running = true;
    }

    /** Open streams would keep the web server from stopping in good order. */
    @Override
    public void stop() {
        running = false;
        open.forEach(LogStream::close);
        threads.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
