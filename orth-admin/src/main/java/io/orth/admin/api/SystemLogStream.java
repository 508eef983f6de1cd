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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;

/** Sends the newest lines of the system log to one watcher, and then those that come, each once. */
final class SystemLogStream implements LiveStream {

    private static final long LOOK_EVERY_MILLIS = 300;
    private static final int LOOKS_PER_HEARTBEAT = 30;

    /** Then the watcher has to come again, and to show that it still may watch. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

    private final LiveLines live;
    private final Ticker ticker;
    private final EventChannel channel;
    private final long openedNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private int quietLooks;

    SystemLogStream(LiveLines live, Ticker ticker, EventChannel channel) {
        this.live = live;
        this.ticker = ticker;
        this.channel = channel;
        this.openedNanos = ticker.nanos();
    }

    @Override
    public void close() {
        closed.countDown();
    }

    @Override
    public void follow() throws IOException, InterruptedException {
        LiveLines.News news = live.begin();
        send(news);
        while (!closed.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)
                && ticker.nanos() - openedNanos < LONGEST_NANOS) {
            news = live.after(news.upTo());
            send(news);
        }
    }

    private void send(LiveLines.News news) throws IOException {
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
            quietLooks = 0;
        } else if (++quietLooks % LOOKS_PER_HEARTBEAT == 0) {
            channel.heartbeat();
        }
    }
}
