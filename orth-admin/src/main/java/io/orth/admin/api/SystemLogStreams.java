package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.LiveLines;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Those who watch the system log on this node. */
@Component
final class SystemLogStreams extends LiveStreams {

    private final LiveLines live;
    private final Ticker ticker;

    SystemLogStreams(LiveLines live, Ticker ticker) {
        super("streams of the system log", "system-log-stream");
        this.live = live;
        this.ticker = ticker;
    }

    SseEmitter open() {
        return watch(emitter -> new SystemLogStream(live, ticker, emitter));
    }
}
