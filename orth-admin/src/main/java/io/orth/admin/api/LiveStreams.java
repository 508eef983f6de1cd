package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Threads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.springframework.context.SmartLifecycle;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The streams of one kind being watched on this node, each on a thread of its own; there is a limit to how many. */
abstract class LiveStreams implements SmartLifecycle {

    private static final int MOST = 200;
    private static final long NO_TIMEOUT = 0L;

    private final String what;
    private final ExecutorService threads;
    private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    /** @param what is watched, as a word in the plural */
    LiveStreams(String what, String thread) {
        this.what = what;
        this.threads = Threads.pool(thread, MOST);
    }

    final SseEmitter watch(Function<SseEmitter, LiveStream> maker) {
        SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
        LiveStream stream = maker.apply(emitter);
        emitter.onCompletion(stream::close);
        emitter.onError(failure -> stream.close());
        try {
            threads.execute(() -> follow(stream));
        } catch (RejectedExecutionException e) {
            throw OrthException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "%d %s are being watched already; close one".formatted(MOST, what));
        }
        return emitter;
    }

    private void follow(LiveStream stream) {
        open.add(stream);
        try {
            stream.follow();
        } finally {
            open.remove(stream);
        }
    }

    @Override
    public final void start() {
        running = true;
    }

    /** Open streams would keep the web server from stopping in good order. */
    @Override
    public final void stop() {
        running = false;
        open.forEach(LiveStream::close);
        threads.shutdownNow();
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public final int getPhase() {
        return Integer.MAX_VALUE;
    }
}
