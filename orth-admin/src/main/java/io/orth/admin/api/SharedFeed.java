package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.transition.TransitionFeed;
import io.orth.admin.transition.TransitionFeed.Piece;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The feed as all watchers of this node read it: one of them at a time, and what one has read the others get without asking.
 * However many there are, they take one connection to the database.
 */
final class SharedFeed {

    private static final long LOOK_EVERY_NANOS = Duration.ofMillis(200).toNanos();
    private static final int PIECE = 500;
    private static final int REMEMBERED = 32;

    private final TransitionFeed feed;
    private final Ticker ticker;
    private final ReentrantLock reading = new ReentrantLock(true);
    /** By the position before it. What follows a position never changes, so a piece is good as long as it is there. */
    private final Map<Long, Piece> pieces = new LinkedHashMap<>();

    private long head;
    private long lookedAt;
    private boolean looked;

    SharedFeed(TransitionFeed feed, Ticker ticker) {
        this.feed = feed;
        this.ticker = ticker;
    }

    /** The last position there is, or was moments ago. */
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

    /** What comes after {@code position}, in whole batches. */
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
