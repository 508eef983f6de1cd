package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;

/** What the outbox has not sent yet, and what it has given up on until somebody decides. */
public final class Outbox {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_PARTS = 10_000;

    private final OutboxRepository outbox;
    private final Transactions transactions;
    private final Runnable dispatch;

    /** @param dispatch there is something to send */
    Outbox(OutboxRepository outbox, Transactions transactions, Runnable dispatch) {
        this.outbox = outbox;
        this.transactions = transactions;
        this.dispatch = dispatch;
    }

    /** Those that are parked, or those that wait, the oldest first; with an id above {@code after}. */
    public List<OutboxEntry> list(boolean parked, long after, int limit) {
        return outbox.list(parked, after, limit);
    }

    /**
     * Has what is parked tried again, with all attempts.
     *
     * @param ids which; null for all
     * @return how many were parked
     */
    public int redrive(Collection<Long> ids) {
        if (ids != null && (ids.isEmpty() || ids.size() > MOST_AT_ONCE)) {
            throw OrthException.invalid("ids", "must be 1 to %d".formatted(MOST_AT_ONCE));
        }
        int redriven = 0;
        for (int i = 0; i < MOST_PARTS; i++) {
            int part = transactions.call(() -> outbox.redrive(ids, MOST_AT_ONCE));
            redriven += part;
            if (part < MOST_AT_ONCE || ids != null) {
                break;
            }
        }
        dispatch.run();
        return redriven;
    }
}
