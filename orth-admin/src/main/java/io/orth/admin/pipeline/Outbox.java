package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** What the outbox has not sent yet, and what it has given up on; the tasks of that have failed. */
@Component
public final class Outbox {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_PARTS = 10_000;

    private final OutboxRepository outbox;
    private final PipelineRuns runs;
    private final Transactions transactions;
    private final PipelineSignals signals;

    Outbox(PipelineTables tables, PipelineRuns runs, Transactions transactions, PipelineSignals signals) {
        this.outbox = tables.outbox;
        this.runs = runs;
        this.transactions = transactions;
        this.signals = signals;
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
        List<OutboxEntry> part = ids == null ? outbox.list(true, 0, MOST_AT_ONCE) : outbox.parked(ids);
        for (int i = 0; i < MOST_PARTS && !part.isEmpty(); i++) {
            redriven += redriveAll(part, by);
            part = ids == null ? outbox.list(true, part.get(part.size() - 1).id(), MOST_AT_ONCE) : List.of();
        }
        signals.dispatch();
        return redriven;
    }

    /** Run by run, so that no transaction keeps several of them. */
    private int redriveAll(List<OutboxEntry> parked, String by) {
        Map<Long, List<Long>> byRun = parked.stream()
                .collect(Collectors.groupingBy(
                        OutboxEntry::rootId, TreeMap::new, Collectors.mapping(OutboxEntry::id, Collectors.toList())));
        return byRun.entrySet().stream()
                .mapToInt(each -> transactions.call(() -> runs.redrive(each.getKey(), each.getValue(), by)))
                .sum();
    }
}
