package io.orth.admin.kernel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Generates run ids of 53 bits, which JavaScript represents exactly: milliseconds since Orth's epoch (41), node number (6), sequence (6).
 * Ids increase within a node and are never reused; see {@link NodeLease}.
 */
@Component
public final class RunIdGenerator {

    static final long EPOCH_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private static final int TIME_BITS = 41;
    private static final int NODE_BITS = 6;
    private static final int SEQUENCE_BITS = 6;
    private static final int SEQUENCES = 1 << SEQUENCE_BITS;
    private static final long MOST_AHEAD_MILLIS = 1_000;
    private static final long MOST_WAIT_MILLIS = 1_000;

    private final NodeLease lease;
    private final Clock clock;
    /** Time and sequence of the newest id; guarded by this. */
    private long lastMillis = -1;

    private int lastSequence;

    public RunIdGenerator(NodeLease lease, Clock clock) {
        this.lease = lease;
        this.clock = clock;
    }

    /**
     * Returns increasing ids. A burst may run one second ahead of time, which is 64,000 ids. Larger requests wait until time has caught
     * up; requests that would wait for more than one further second are rejected.
     */
    public synchronized long[] next(int count) {
        long patience = count / SEQUENCES < MOST_AHEAD_MILLIS ? MOST_WAIT_MILLIS : 0;
        while (true) {
            // Read the lease once: it may be replaced at any moment by one with other bounds.
            NodeLease.Held held = lease.held();
            long now = clock.millis() - EPOCH_MILLIS;
            long from = Math.max(now, held.floor() + 1);
            long last = Math.max(from, lastMillis) + count / SEQUENCES + 1;
            long early = last - Math.min(now + MOST_AHEAD_MILLIS, held.ceiling());
            if (early <= 0) {
                return make(count, from, held.number());
            }
            patience -= early;
            if (patience < 0) {
                throw tooMany();
            }
            letTimePass(early);
        }
    }

    private long[] make(int count, long from, int node) {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = nextAfter(from, node);
        }
        return ids;
    }

    /** Releases the monitor while waiting, so smaller requests can be served. */
    private void letTimePass(long millis) {
        try {
            TimeUnit.MILLISECONDS.timedWait(this, millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw tooMany();
        }
    }

    private static OrthException tooMany() {
        return OrthException.of(ErrorCode.UNAVAILABLE, "too many runs or messages are being created at once");
    }

    public long next() {
        return next(1)[0];
    }

    /**
     * Returns a lower bound of ids created at {@code instant} or later. Ids contain their time, so lists by time need no further index.
     */
    public static long lowestIdAt(Instant instant) {
        Instant first = Instant.ofEpochMilli(EPOCH_MILLIS);
        Instant last = first.plusMillis((1L << TIME_BITS) - 1);
        Instant known = instant.isBefore(first) ? first : instant.isAfter(last) ? last : instant;
        return (known.toEpochMilli() - EPOCH_MILLIS) << (NODE_BITS + SEQUENCE_BITS);
    }

    /** Returns a lower bound of ids created up to {@code before} earlier than {@code id}. */
    public static long earlier(long id, Duration before) {
        return Math.max(0, id - (before.toMillis() << (NODE_BITS + SEQUENCE_BITS)));
    }

    private long nextAfter(long millis, int node) {
        if (millis > lastMillis) {
            lastMillis = millis;
            lastSequence = 0;
        } else if (++lastSequence == SEQUENCES) {
            lastMillis++;
            lastSequence = 0;
        }
        return (lastMillis << (NODE_BITS + SEQUENCE_BITS)) | ((long) node << SEQUENCE_BITS) | lastSequence;
    }
}
