package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.runtime.Threads;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The streams of one kind being watched on this node, each on a thread of its own; there is a limit to how many. */
abstract class LiveStreams implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LiveStreams.class);

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

    static SseEmitter emitter() {
        return new SseEmitter(NO_TIMEOUT);
    }

    /** Sends a stream in a response of its own. */
    final SseEmitter watch(Function<EventChannel, LiveStream> maker) {
        SseEmitter emitter = emitter();
        Watched watched = join(maker, EventChannel.alone(emitter), emitter::complete);
        emitter.onCompletion(watched::end);
        emitter.onError(failure -> watched.end());
        try {
            beginAnswer();
        } finally {
            watched.begin();
        }
        return emitter;
    }

    /**
     * Sends a stream in a response that the caller has, from when it calls {@link Watched#begin}.
     *
     * @param whenOver called on the stream's thread once it has finished, unless its watcher is gone
     */
    final Watched join(Function<EventChannel, LiveStream> maker, EventChannel channel, Runnable whenOver) {
        Watched watched = new Watched(maker.apply(channel), whenOver);
        try {
            threads.execute(watched);
        } catch (RejectedExecutionException e) {
            throw OrthException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "%d %s are being watched already; close one".formatted(MOST, what));
        }
        return watched;
    }

    /**
     * The answer begins on the request's own thread, before the stream's thread writes any of it: the filters around the request
     * set headers until it has begun, and two threads would do so at a time.
     */
    static void beginAnswer() {
        HttpServletResponse answer =
                ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getResponse();
        answer.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        answer.setHeader("X-Accel-Buffering", "no");
        try {
            answer.flushBuffer();
        } catch (IOException e) {
            log.debug("a watcher is gone before it was answered", e);
        }
    }

    /** One of them, until its watcher has gone or it has ended. */
    final class Watched implements Runnable {

        private final LiveStream stream;
        private final Runnable whenOver;
        private final CountDownLatch begun = new CountDownLatch(1);
        private volatile boolean gone;

        private Watched(LiveStream stream, Runnable whenOver) {
            this.stream = stream;
            this.whenOver = whenOver;
        }

        void begin() {
            begun.countDown();
        }

        void end() {
            gone = true;
            stream.close();
        }

        @Override
        public void run() {
            open.add(stream);
            try {
                begun.await();
                stream.follow();
                complete();
            } catch (IOException e) {
                log.debug("a watcher is gone", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                complete();
            } catch (RuntimeException e) {
                tellUnlessGone(e);
                complete();
            } finally {
                open.remove(stream);
            }
        }

        /** To whom nobody listens any more, nothing can be sent; others come again, and go on where they were. */
        private void tellUnlessGone(RuntimeException e) {
            if (!gone) {
                log.atWarn().setCause(e).addKeyValue("what", what).log("a stream broke");
            }
        }

        /** A request that has ended is not the stream's any more. */
        private void complete() {
            if (!gone) {
                whenOver.run();
            }
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
