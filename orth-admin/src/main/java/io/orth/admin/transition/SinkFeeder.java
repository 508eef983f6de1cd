package io.orth.admin.transition;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.StandingLease;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.transition.TransitionFeed.Piece;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Feeds one sink from its last recorded position. The position is recorded after delivery, so a crash in between repeats transitions but
 * loses none. A failing sink is retried with backoff and keeps its position; other sinks are not affected.
 */
final class SinkFeeder implements Duty {

    static final int MOST_AT_ONCE = 2_000;

    private final TransitionSink sink;
    private final StandingLease lease;
    private final TransitionFeed feed;
    private final SinkRepository sinks;
    private final Transactions transactions;
    private final TransitionMetrics metrics;
    private final Clock clock;
    /** Null while the sink is idle. */
    private volatile Instant emittingSince;

    SinkFeeder(
            TransitionSink sink,
            StandingLease lease,
            TransitionFeed feed,
            SinkRepository sinks,
            Transactions transactions,
            Clock clock,
            TransitionMetrics metrics) {
        this.sink = sink;
        this.lease = lease;
        this.feed = feed;
        this.sinks = sinks;
        this.transactions = transactions;
        this.clock = clock;
        this.metrics = metrics;
        metrics.enter(sink.name());
    }

    String name() {
        return sink.name();
    }

    /** Returns since when the sink has been processing its current transitions; empty while it is idle. */
    Optional<Instant> emittingSince() {
        return Optional.ofNullable(emittingSince);
    }

    @Override
    public Pass run() throws Exception {
        OptionalLong held = lease.term();
        if (held.isEmpty()) {
            return Pass.DRAINED;
        }
        long term = held.getAsLong();
        long position = sinks.position(sink.name());
        Piece piece = feed.after(position, MOST_AT_ONCE);
        if (piece.upTo() == position) {
            return Pass.DRAINED;
        }
        FaultPoints.reach(FaultPoints.RELAY_BEFORE_EMIT);
        if (!lease.isHeld(term)) {
            return Pass.DRAINED;
        }
        emittingSince = clock.instant();
        try {
            emit(term, piece);
            FaultPoints.reach(FaultPoints.RELAY_AFTER_EMIT);
            record(term, piece);
        } finally {
            emittingSince = null;
        }
        return piece.more() ? Pass.MORE : Pass.DRAINED;
    }

    private void emit(long term, Piece piece) throws Exception {
        if (piece.transitions().isEmpty()) {
            return;
        }
        try {
            sink.emit(term, piece.transitions());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            metrics.sinkFailed(sink.name());
            String error = e.getMessage() == null ? e.toString() : e.getMessage();
            transactions.run(() -> {
                if (lease.confirm(term)) {
                    sinks.failed(sink.name(), error);
                }
            });
            throw e;
        }
    }

    /** Does nothing if another node has taken over: that node tracks the sink's position itself. */
    private void record(long term, Piece piece) {
        boolean ours = transactions.call(() -> {
            if (!lease.confirm(term)) {
                return false;
            }
            sinks.took(sink.name(), piece.upTo(), piece.transitions().size(), piece.missing());
            return true;
        });
        if (ours) {
            metrics.emitted(sink.name(), piece.transitions().size());
            metrics.dropped(sink.name(), piece.missing());
        }
    }
}
