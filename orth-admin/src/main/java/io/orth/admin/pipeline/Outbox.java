package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Pending and parked outbox entries. The tasks of parked entries have failed. */
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

    /** Returns parked or pending entries with an id above {@code after}, oldest first. */
    public List<OutboxEntry> list(boolean parked, long after, int limit) {
        return outbox.list(parked, after, limit);
    }

    /**
     * Sends parked entries again with all delivery attempts. Grants all attempts again to tasks that failed because of them, and reopens
     * runs that failed.
     *
     * @param ids entry ids; null for all
     * @return the number of entries that were parked
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

    /** Uses one transaction per run, so that no transaction locks several runs. */
    private int redriveAll(List<OutboxEntry> parked, String by) {
        Map<Long, List<Long>> byRun = parked.stream()
                .collect(Collectors.groupingBy(
                        OutboxEntry::rootId, TreeMap::new, Collectors.mapping(OutboxEntry::id, Collectors.toList())));
        return byRun.entrySet().stream()
                .mapToInt(each -> transactions.call(() -> runs.redrive(each.getKey(), each.getValue(), by)))
                .sum();
    }
}
