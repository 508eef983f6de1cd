package io.orth.admin.kernel;

import java.time.Duration;
import java.util.OptionalLong;

/** A lease for continuous work: renewed periodically, checked in between by this node's own ticker. */
public final class StandingLease {

    /** Time by which this node considers the lease expired before the database does. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final int RENEWALS_PER_TERM = 3;

    private record Held(long term, long renewNanos, long endNanos) {}

    private final ClusterLease lease;
    private final Duration ttl;
    private final Ticker ticker;
    private volatile Held held;

    public StandingLease(ClusterLease lease, Duration ttl, Ticker ticker) {
        this.lease = lease;
        this.ttl = ttl;
        this.ticker = ticker;
    }

    /** Takes the lease, or renews it if due. Call from one thread only; other threads use {@link #term}. */
    public OptionalLong keep() {
        Held now = held;
        if (now != null && ticker.nanos() - now.renewNanos() < 0) {
            return OptionalLong.of(now.term());
        }
        long asked = ticker.nanos();
        OptionalLong term = lease.hold();
        held = term.isPresent()
                ? new Held(
                        term.getAsLong(),
                        asked + ttl.toNanos() / RENEWALS_PER_TERM,
                        asked + ttl.minus(MARGIN).toNanos())
                : null;
        return term;
    }

    /** Returns the term if it is certainly still held, without a query. */
    public OptionalLong term() {
        Held now = held;
        return now != null && ticker.nanos() - now.endNanos() < 0 ? OptionalLong.of(now.term()) : OptionalLong.empty();
    }

    public boolean isHeld(long term) {
        return term().equals(OptionalLong.of(term));
    }

    /** Like {@link ClusterLease#confirm}. */
    public boolean confirm(long term) {
        return lease.confirm(term);
    }

    /** Releases the lease, so the next node can take over immediately. */
    public void release() {
        held = null;
        lease.release();
    }
}
