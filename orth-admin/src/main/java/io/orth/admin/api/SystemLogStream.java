package io.orth.admin.api;

import io.orth.admin.api.SystemLogApi.LineView;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.LiveLines;
import io.orth.admin.systemlog.LogLine;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;

/** Stream of the system log to one client: the newest lines, then each new line once. */
final class SystemLogStream extends LiveStream {

    /** Maximum duration. After that the client must reconnect, which checks again that it is allowed to read the log. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

    private final LiveLines live;
    private final Ticker ticker;
    private final long openedNanos;
    /** Null before the first lines are sent. */
    private LiveLines.News news;

    SystemLogStream(LiveLines live, Ticker ticker, EventChannel channel) {
        super(channel);
        this.live = live;
        this.ticker = ticker;
        this.openedNanos = ticker.nanos();
    }

    @Override
    boolean look() throws IOException, InterruptedException {
        news = news == null ? live.begin() : live.after(news.upTo());
        Set<DataWithMediaType> events = new LinkedHashSet<>();
        if (news.missed() > 0) {
            events.addAll(
                    channel.event("missed").data(Map.of("lines", news.missed())).build());
        }
        for (LogLine line : news.lines()) {
            events.addAll(channel.event("line").data(LineView.of(line)).build());
        }
        if (!events.isEmpty()) {
            channel.send(events);
            sent();
        } else if (isHeartbeatDue()) {
            channel.heartbeat();
        }
        return rest(LOOK_EVERY_MILLIS) && ticker.nanos() - openedNanos < LONGEST_NANOS;
    }
}
