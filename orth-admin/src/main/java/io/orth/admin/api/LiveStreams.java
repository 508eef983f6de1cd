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

/** Open streams of one kind on this node, each with a thread of its own. Their number is limited to {@value #MOST}. */
abstract class LiveStreams implements ApplicationListener<ContextClosedEvent> {

    private static final Logger log = LoggerFactory.getLogger(LiveStreams.class);

    private static final int MOST = 200;

    private final String what;
    private final ExecutorService threads;
    private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();

    /** @param what name of the streams' content, in the plural */
    LiveStreams(String what, String thread) {
        this.what = what;
        this.threads = Threads.pool(thread, MOST);
    }

    /**
     * Opens a stream in an existing response. It sends nothing before {@link LiveStream#begin} is called.
     *
     * @param whenOver called on the stream's thread after the stream has finished, unless the client has disconnected
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
            // After a disconnect, failures do not matter. Other clients reconnect and resume from their last event.
            if (stream.isWatched()) {
                log.atWarn().setCause(e).addKeyValue("what", what).log("a stream broke");
            }
        } finally {
            open.remove(stream);
        }
        // After a disconnect, the request no longer belongs to the stream.
        if (stream.isWatched()) {
            whenOver.run();
        }
    }

    /** Closes all streams, because open ones would prevent a graceful shutdown of the web server. */
    @Override
    public final void onApplicationEvent(ContextClosedEvent closed) {
        open.forEach(LiveStream::close);
        threads.shutdownNow();
    }
}
