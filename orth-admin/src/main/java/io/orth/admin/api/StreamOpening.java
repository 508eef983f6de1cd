package io.orth.admin.api;

import java.util.function.Function;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Stream whose request was checked, to be opened in a response of its own or in a shared one. */
record StreamOpening(LiveStreams streams, Function<EventChannel, LiveStream> maker) {

    LiveStream join(EventChannel channel, Runnable whenOver) {
        return streams.join(maker, channel, whenOver);
    }

    SseEmitter alone() {
        return StreamResponse.ofOne(this);
    }
}
