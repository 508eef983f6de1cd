package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Response of one or several streams. With several, names and ids of a stream's events carry its number in the request, and a stream that
 * is rejected or finished does not end the others.
 */
final class StreamResponse {

    private static final Logger log = LoggerFactory.getLogger(StreamResponse.class);
    private static final long NO_TIMEOUT = 0L;

    private final SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
    private final List<LiveStream> parts = new ArrayList<>();
    /** Number of unfinished streams, plus one for the request itself until all of them are opened. */
    private final AtomicInteger unfinished = new AtomicInteger(1);

    private StreamResponse() {}

    static SseEmitter ofOne(StreamOpening opening) {
        StreamResponse response = new StreamResponse();
        response.unfinished.incrementAndGet();
        response.parts.add(opening.join(new EventChannel(response.emitter, ""), response::finished));
        return response.begin();
    }

    static SseEmitter ofSeveral(List<Supplier<StreamOpening>> requested) {
        StreamResponse response = new StreamResponse();
        for (int number = 0; number < requested.size(); number++) {
            response.add(new EventChannel(response.emitter, number + "."), requested.get(number));
        }
        return response.begin();
    }

    private void add(EventChannel channel, Supplier<StreamOpening> requested) {
        unfinished.incrementAndGet();
        try {
            parts.add(requested.get().join(channel, () -> finish(channel, "")));
            send(channel, "open", "");
        } catch (OrthException e) {
            finish(channel, e.getMessage());
        }
    }

    private void finish(EventChannel channel, String message) {
        send(channel, "over", message);
        finished();
    }

    /**
     * Starts the response on the request's own thread, before the streams' threads write to it. Until then, the filters around the request
     * set headers, which they must not do concurrently with those threads.
     */
    private SseEmitter begin() {
        emitter.onCompletion(this::end);
        emitter.onError(failure -> end());
        try {
            HttpServletResponse answer =
                    ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getResponse();
            answer.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            answer.setHeader("X-Accel-Buffering", "no");
            answer.flushBuffer();
        } catch (IOException e) {
            log.debug("a watcher is gone before it was answered", e);
        } finally {
            parts.forEach(LiveStream::begin);
            finished();
        }
        return emitter;
    }

    private void finished() {
        if (unfinished.decrementAndGet() == 0) {
            emitter.complete();
        }
    }

    private static void send(EventChannel channel, String name, String message) {
        try {
            channel.send(channel.event(name).data(Map.of("message", message)));
        } catch (IOException | IllegalStateException e) {
            log.debug("a watcher of several streams is gone", e);
        }
    }

    private void end() {
        parts.forEach(LiveStream::unwatch);
    }
}
