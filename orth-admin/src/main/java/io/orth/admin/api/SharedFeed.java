package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.transition.TransitionFeed;
import io.orth.admin.transition.TransitionFeed.Piece;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Transition feed shared by all streams of this node. One stream reads at a time, and the others get its result from memory, so all of them
 * together use one database connection.
 */
final class SharedFeed {

    private static final long LOOK_EVERY_NANOS = Duration.ofMillis(200).toNanos();
    private static final int PIECE = 500;
    private static final int REMEMBERED = 32;

    private final TransitionFeed feed;
    private final Ticker ticker;
    private final ReentrantLock reading = new ReentrantLock(true);
    /** Pieces by the position before them. The transitions after a position never change, so a cached piece stays valid. */
    private final Map<Long, Piece> pieces = new LinkedHashMap<>();

    private long head;
    private long lookedAt;
    private boolean looked;

    SharedFeed(TransitionFeed feed, Ticker ticker) {
        this.feed = feed;
        this.ticker = ticker;
    }

    /** Returns the last position, at most 200 ms old. */
    long head() throws InterruptedException {
        reading.lockInterruptibly();
        try {
            if (!looked || ticker.nanos() - lookedAt >= LOOK_EVERY_NANOS) {
                head = feed.head();
                lookedAt = ticker.nanos();
                looked = true;
            }
            return head;
        } finally {
            reading.unlock();
        }
    }

    /** Returns the transitions after {@code position}, in whole batches. */
    Piece after(long position) throws InterruptedException {
        reading.lockInterruptibly();
        try {
            Piece known = pieces.get(position);
            if (known != null) {
                return known;
            }
            Piece read = feed.after(position, PIECE);
            if (read.upTo() > position) {
                pieces.put(position, read);
                if (pieces.size() > REMEMBERED) {
                    pieces.remove(pieces.keySet().iterator().next());
                }
            }
            return read;
        } finally {
            reading.unlock();
        }
    }
}
