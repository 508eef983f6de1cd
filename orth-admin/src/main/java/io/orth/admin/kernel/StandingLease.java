package io.orth.admin.kernel;

import java.time.Duration;
import java.util.OptionalLong;

/** A lease for continuous work: renewed now and then, checked in between by this node's own ticker. */
public final class StandingLease {

    /** How much earlier than the database this node takes the lease to be over. */
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

    /** Takes or renews the lease where that is needed. One thread keeps the lease; others ask for its {@link #term}. */
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

    /** The term that is held for certain, without asking. */
    public OptionalLong term() {
        Held now = held;
        return now != null && ticker.nanos() - now.endNanos() < 0 ? OptionalLong.of(now.term()) : OptionalLong.empty();
    }

    public boolean isHeld(long term) {
        return term().equals(OptionalLong.of(term));
    }

    /** As {@link ClusterLease#confirm}. */
    public boolean confirm(long term) {
        return lease.confirm(term);
    }

    /** Lets the next node take over at once. */
    public void release() {
        held = null;
        lease.release();
    }
}
