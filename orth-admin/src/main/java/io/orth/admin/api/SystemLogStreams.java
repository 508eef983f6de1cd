package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.LiveLines;
import org.springframework.stereotype.Component;

/** System log streams that are open on this node. */
@Component
final class SystemLogStreams extends LiveStreams {

    private final LiveLines live;
    private final Ticker ticker;

    SystemLogStreams(LiveLines live, Ticker ticker) {
        super("streams of the system log", "system-log-stream");
        this.live = live;
        this.ticker = ticker;
    }

    StreamOpening opening() {
        return new StreamOpening(this, channel -> new SystemLogStream(live, ticker, channel));
    }
}
