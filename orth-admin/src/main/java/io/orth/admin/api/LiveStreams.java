package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The streams of one kind being watched on this node, each on a thread of its own; there is a limit to how many. */
abstract class LiveStreams implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LiveStreams.class);

    private static final int MOST = 200;
    /** Without any, the web server takes a request that is just beginning or ending for one whose application is gone. */
    private static final long TIMEOUT_MILLIS = Duration.ofDays(1).toMillis();

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
        SseEmitter emitter = new SseEmitter(TIMEOUT_MILLIS);
        LiveStream stream = maker.apply(emitter);
        AtomicBoolean ended = new AtomicBoolean();
        Runnable end = () -> {
            ended.set(true);
            stream.close();
        };
        emitter.onCompletion(end);
        emitter.onTimeout(emitter::complete);
        emitter.onError(failure -> end.run());
        Runnable complete = () -> {
            // The web server may use for another what belonged to a request that has ended.
            if (!ended.get()) {
                emitter.complete();
            }
        };
        try {
            threads.execute(() -> follow(stream, complete));
        } catch (RejectedExecutionException e) {
            throw OrthException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "%d %s are being watched already; close one".formatted(MOST, what));
        }
        return emitter;
    }

    private void follow(LiveStream stream, Runnable complete) {
        open.add(stream);
        try {
            stream.follow();
            complete.run();
        } catch (IOException | IllegalStateException e) {
            log.debug("a watcher is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            complete.run();
        } catch (RuntimeException e) {
            // Its watcher comes again, and goes on where it was.
            log.atWarn().setCause(e).addKeyValue("what", what).log("a stream broke");
            complete.run();
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
