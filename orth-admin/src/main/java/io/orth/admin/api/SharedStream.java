package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Several streams in one response. Names and ids of a stream's events carry its number in the request. A stream that is
 * rejected or finished does not end the others.
 */
final class SharedStream {

    private static final Logger log = LoggerFactory.getLogger(SharedStream.class);

    private final SseEmitter emitter = LiveStreams.emitter();
    private final List<LiveStreams.Watched> parts = new ArrayList<>();
    /** Streams that are not finished, and the request itself until all of them are opened. */
    private final AtomicInteger unfinished = new AtomicInteger(1);

    private SharedStream() {}

    static SseEmitter open(List<Supplier<StreamOpening>> requested) {
        SharedStream shared = new SharedStream();
        shared.begin(requested);
        return shared.emitter;
    }

    private void begin(List<Supplier<StreamOpening>> requested) {
        for (int number = 0; number < requested.size(); number++) {
            add(EventChannel.shared(emitter, number), requested.get(number));
        }
        emitter.onCompletion(this::end);
        emitter.onError(failure -> end());
        try {
            LiveStreams.beginAnswer();
        } finally {
            parts.forEach(LiveStreams.Watched::begin);
            finished();
        }
    }

    private void add(EventChannel channel, Supplier<StreamOpening> requested) {
        unfinished.incrementAndGet();
        try {
            StreamOpening opening = requested.get();
            parts.add(opening.streams().join(opening.maker(), channel, () -> finish(channel, "")));
            send(channel, "open", "");
        } catch (OrthException e) {
            finish(channel, e.getMessage());
        }
    }

    private void finish(EventChannel channel, String message) {
        send(channel, "over", message);
        finished();
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
        parts.forEach(LiveStreams.Watched::end);
    }
}
