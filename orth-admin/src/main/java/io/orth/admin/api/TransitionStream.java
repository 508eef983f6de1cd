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
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;

/** Stream of state transitions to one client, each once and in order. */
final class TransitionStream extends LiveStream {

    /** Maximum duration. After that the client must reconnect, which checks again that it is allowed to read transitions. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

    /** Transition with its event id. */
    record Told(String id, @JsonUnwrapped StateTransition transition) {}

    private final SharedFeed feed;
    private final Ticker ticker;
    private final TransitionFilter filter;
    private final boolean gapAtStart;
    private final long openedNanos;
    /** Place up to which everything was sent or filtered out. Accessed by the stream's thread only. */
    private Place reached;

    private Place told;

    /** @param gapAtStart whether transitions before {@code from} are missing */
    TransitionStream(
            SharedFeed feed,
            Ticker ticker,
            TransitionFilter filter,
            Place from,
            boolean gapAtStart,
            EventChannel channel) {
        super(channel);
        this.feed = feed;
        this.ticker = ticker;
        this.filter = filter;
        this.reached = from;
        this.gapAtStart = gapAtStart;
        this.openedNanos = ticker.nanos();
    }

    @Override
    void follow() throws IOException, InterruptedException {
        tellPlace(gapAtStart ? "gap" : "at");
        super.follow();
    }

    @Override
    boolean look() throws IOException, InterruptedException {
        boolean more = false;
        if (!reached.isWhole() || feed.head() > reached.position()) {
            Piece piece = feed.after(reached.isWhole() ? reached.position() : reached.position() - 1);
            send(piece);
            reached = Place.after(Math.max(reached.position(), piece.upTo()));
            more = piece.more();
        }
        if (isHeartbeatDue()) {
            giveSignOfLife();
        }
        return (more ? isOpen() : rest(LOOK_EVERY_MILLIS)) && ticker.nanos() - openedNanos < LONGEST_NANOS;
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
            sent();
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
