package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.transition.RelayedTransition;
import io.orth.admin.transition.TransitionFeed.Piece;
import io.orth.admin.transition.TransitionFeed.Place;
import io.orth.protocol.StateTransition;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;

/** Sends transitions to one watcher as they come, each once and in their order. */
final class TransitionStream implements LiveStream {

    private static final long LOOK_EVERY_MILLIS = 300;
    private static final int LOOKS_PER_HEARTBEAT = 30;

    /** Then the watcher has to come again, and to show that it still may watch. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

    /** A transition and where it stands. */
    record Told(String id, @JsonUnwrapped StateTransition transition) {}

    private final SharedFeed feed;
    private final Ticker ticker;
    private final TransitionFilter filter;
    private final boolean gapAtStart;
    private final EventChannel channel;
    private final long openedNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Everything up to here was sent or is not wanted; touched by the stream's thread only. */
    private Place reached;

    private Place told;
    private int quietLooks;

    /** @param gapAtStart whether something is missing before {@code from} */
    TransitionStream(
            SharedFeed feed,
            Ticker ticker,
            TransitionFilter filter,
            Place from,
            boolean gapAtStart,
            EventChannel channel) {
        this.feed = feed;
        this.ticker = ticker;
        this.filter = filter;
        this.reached = from;
        this.gapAtStart = gapAtStart;
        this.channel = channel;
        this.openedNanos = ticker.nanos();
    }

    @Override
    public void close() {
        closed.countDown();
    }

    @Override
    public void follow() throws IOException, InterruptedException {
        tellPlace(gapAtStart ? "gap" : "at");
        while (look()) {
            // Each look waits for its own time.
        }
    }

    /** Sends what is new; returns whether to look again. */
    private boolean look() throws IOException, InterruptedException {
        boolean more = false;
        if (!reached.isWhole() || feed.head() > reached.position()) {
            Piece piece = feed.after(reached.isWhole() ? reached.position() : reached.position() - 1);
            send(piece);
            reached = Place.after(Math.max(reached.position(), piece.upTo()));
            more = piece.more();
        }
        if (++quietLooks % LOOKS_PER_HEARTBEAT == 0) {
            giveSignOfLife();
        }
        return (more ? closed.getCount() > 0 : !closed.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS))
                && ticker.nanos() - openedNanos < LONGEST_NANOS;
    }

    private void send(Piece piece) throws IOException {
        List<RelayedTransition> wanted = piece.transitions().stream()
                .filter(each -> reached.isBefore(each.place()) && filter.lets(each.transition()))
                .toList();
        if (!wanted.isEmpty()) {
            Set<DataWithMediaType> events = new LinkedHashSet<>();
            wanted.forEach(each -> events.addAll(channel.event("transition", each.id())
                    .data(new Told(each.id(), each.transition()))
                    .build()));
            channel.send(events);
            told = wanted.get(wanted.size() - 1).place();
            quietLooks = 0;
        }
        if (piece.missing() > 0) {
            reached = Place.after(piece.upTo());
            tellPlace("gap");
        }
    }

    private void giveSignOfLife() throws IOException {
        if (reached.equals(told)) {
            channel.heartbeat();
        } else {
            tellPlace("at");
        }
    }

    private void tellPlace(String name) throws IOException {
        told = reached;
        channel.send(channel.event(name, told.id()).data(Map.of("id", told.id())));
    }
}
