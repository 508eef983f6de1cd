package io.orth.admin.api;

import java.io.IOException;
import java.util.Set;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/** Sender of the events of one stream, in a response of its own or in one shared by several streams. */
final class EventChannel {

    private final SseEmitter emitter;
    private final String prefix;

    /** @param prefix precedes names and ids of events; empty in a response of its own */
    EventChannel(SseEmitter emitter, String prefix) {
        this.emitter = emitter;
        this.prefix = prefix;
    }

    SseEventBuilder event(String name) {
        return SseEmitter.event().name(prefix + name);
    }

    SseEventBuilder event(String name, String id) {
        return event(name).id(prefix + id);
    }

    void send(SseEventBuilder event) throws IOException {
        emitter.send(event);
    }

    void send(Set<DataWithMediaType> events) throws IOException {
        emitter.send(events);
    }

    /** Keeps a quiet connection open. A shared response sends an event, because browsers do not pass comments to scripts. */
    void heartbeat() throws IOException {
        emitter.send(
                prefix.isEmpty()
                        ? SseEmitter.event().comment("still there")
                        : SseEmitter.event().name("heartbeat").data("{}"));
    }
}
