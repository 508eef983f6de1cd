package io.orth.admin.transition;

import io.orth.admin.kernel.StateChange;
import io.orth.admin.transition.TransitionRows.Row;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What this node has written of late, until it is taken: what it relays itself it need not read. The oldest go first; they are in
 * the database all the same. Safe for use by many threads.
 */
final class OwnBatches {

    /** About 10 MB. */
    private static final int MOST_CHANGES = 20_000;

    private record Own(int writer, List<StateChange> changes) {}

    private final Map<Long, Own> batches = new LinkedHashMap<>();
    private int changes;

    /** Once it is committed. */
    synchronized void put(long batch, int writer, List<StateChange> written) {
        batches.put(batch, new Own(writer, written));
        changes += written.size();
        Iterator<Own> oldest = batches.values().iterator();
        while (changes > MOST_CHANGES) {
            changes -= oldest.next().changes().size();
            oldest.remove();
        }
    }

    /** Null where it is not known. */
    List<Row> take(long batch) {
        Own own = remove(batch);
        return own == null
                ? null
                : own.changes().stream()
                        .map(change -> Row.of(batch, own.writer(), change))
                        .toList();
    }

    private synchronized Own remove(long batch) {
        Own own = batches.remove(batch);
        if (own != null) {
            changes -= own.changes().size();
        }
        return own;
    }
}
