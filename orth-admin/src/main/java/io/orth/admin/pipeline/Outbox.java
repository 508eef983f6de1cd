package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the outbox has not sent yet, and what it has given up on; the tasks of that have failed. */
public final class Outbox {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_PARTS = 10_000;

    private final OutboxRepository outbox;
    private final PipelineRuns runs;
    private final Transactions transactions;
    private final Runnable dispatch;

    /** @param dispatch there is something to send */
    Outbox(OutboxRepository outbox, PipelineRuns runs, Transactions transactions, Runnable dispatch) {
        this.outbox = outbox;
        this.runs = runs;
        this.transactions = transactions;
        this.dispatch = dispatch;
    }

    /** Those that are parked, or those that wait, the oldest first; with an id above {@code after}. */
    public List<OutboxEntry> list(boolean parked, long after, int limit) {
        return outbox.list(parked, after, limit);
    }

    /**
     * Has what is parked sent again, with all attempts at sending it. Tasks that failed because of it get all attempts again, and runs that
     * failed are opened again.
     *
     * @param ids which; null for all
     * @return how many were parked
     */
    public int redrive(Collection<Long> ids, String by) {
        if (ids != null && (ids.isEmpty() || ids.size() > MOST_AT_ONCE)) {
            throw OrthException.invalid("ids", "must be 1 to %d".formatted(MOST_AT_ONCE));
        }
        int redriven = 0;
        if (ids != null) {
            redriven = redriveAll(outbox.parked(ids), by);
        } else {
            List<OutboxEntry> part = outbox.list(true, 0, MOST_AT_ONCE);
            for (int i = 0; i < MOST_PARTS && !part.isEmpty(); i++) {
                redriven += redriveAll(part, by);
                part = outbox.list(true, part.get(part.size() - 1).id(), MOST_AT_ONCE);
            }
        }
        dispatch.run();
        return redriven;
    }

    /** Run by run, so that no transaction keeps several of them. */
    private int redriveAll(List<OutboxEntry> parked, String by) {
        Map<Long, List<Long>> byRun = parked.stream()
                .collect(Collectors.groupingBy(
                        OutboxEntry::rootId, TreeMap::new, Collectors.mapping(OutboxEntry::id, Collectors.toList())));
        int redriven = 0;
        for (Map.Entry<Long, List<Long>> each : byRun.entrySet()) {
            redriven += transactions.call(() -> runs.redrive(each.getKey(), each.getValue(), by));
        }
        return redriven;
    }
}
