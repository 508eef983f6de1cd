package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.runtime.Threads;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/** The streams of one kind being watched on this node, each on a thread of its own; there is a limit to how many. */
abstract class LiveStreams implements ApplicationListener<ContextClosedEvent> {

    private static final Logger log = LoggerFactory.getLogger(LiveStreams.class);

    private static final int MOST = 200;

    private final String what;
    private final ExecutorService threads;
    private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();

    /** @param what is watched, as a word in the plural */
    LiveStreams(String what, String thread) {
        this.what = what;
        this.threads = Threads.pool(thread, MOST);
    }

    /**
     * Sends a stream in a response that the caller has, from when it calls {@link LiveStream#begin}.
     *
     * @param whenOver called on the stream's thread once it has finished, unless its watcher is gone
     */
    final LiveStream join(Function<EventChannel, LiveStream> maker, EventChannel channel, Runnable whenOver) {
        LiveStream stream = maker.apply(channel);
        try {
            threads.execute(() -> send(stream, whenOver));
        } catch (RejectedExecutionException e) {
            throw OrthException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "%d %s are being watched already; close one".formatted(MOST, what));
        }
        return stream;
    }

    private void send(LiveStream stream, Runnable whenOver) {
        open.add(stream);
        try {
            stream.awaitBegin();
            stream.follow();
        } catch (IOException e) {
            log.debug("a watcher is gone", e);
            stream.unwatch();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // Nobody listens to a stream whose watcher is gone; others come again, and go on where they were.
            if (stream.isWatched()) {
                log.atWarn().setCause(e).addKeyValue("what", what).log("a stream broke");
            }
        } finally {
            open.remove(stream);
        }
        // A request that has ended is not the stream's any more.
        if (stream.isWatched()) {
            whenOver.run();
        }
    }

    /** Open streams would keep the web server from stopping in good order. */
    @Override
    public final void onApplicationEvent(ContextClosedEvent closed) {
        open.forEach(LiveStream::close);
        threads.shutdownNow();
    }
}
