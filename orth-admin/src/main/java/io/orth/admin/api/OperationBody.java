package io.orth.admin.api;

import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.Operation;
import io.orth.admin.deadletter.Operations;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.Queues;
import java.util.List;

/**
 * Bulk operation in a request, on the dead letters that match a filter, those with the given numbers, or all.
 *
 * @param all whether the operation concerns all dead letters; false if missing
 * @param dryRun whether to return only the number of affected dead letters; false if missing
 */
record OperationBody(
        BulkAction action, DeadLetterQuery filter, List<String> ids, Boolean all, Boolean dryRun, String reason) {

    enum BulkAction {
        RETRY,
        DISCARD;

        Operation.Action toAction() {
            return Operation.Action.valueOf(name());
        }
    }

    /** Checks that exactly one of {@code filter}, {@code ids} and {@code all} is given. */
    void check() {
        if (action == null) {
            throw OrthException.invalid("action", "must be RETRY or DISCARD");
        }
        int said = (filter == null ? 0 : 1) + (ids == null ? 0 : 1) + (isOfAll() ? 1 : 0);
        if (said != 1) {
            throw OrthException.invalid("filter", "exactly one of filter, ids and all must be given");
        }
    }

    boolean isOfAll() {
        return all != null && all;
    }

    boolean isDryRun() {
        return dryRun != null && dryRun;
    }

    DeadLetterFilter wanted(Queues queues) {
        if (isOfAll()) {
            return DeadLetterFilter.ALL;
        }
        DeadLetterFilter wanted = ProblemField.in("filter", () -> filter.toFilter(name -> queueId(queues, name)));
        if (wanted.equals(DeadLetterFilter.ALL)) {
            throw OrthException.invalid("filter", "must have at least one member; say all instead");
        }
        return wanted;
    }

    private static int queueId(Queues queues, String name) {
        return queues.find(name)
                .map(Queue::id)
                .orElseThrow(() -> OrthException.invalid("queue", "is not the name of a queue: " + name));
    }

    List<Long> numbers() {
        if (ids.isEmpty() || ids.size() > Operations.MOST_NUMBERS) {
            throw OrthException.invalid("ids", "must be 1 to %d".formatted(Operations.MOST_NUMBERS));
        }
        return Ids.parseLongs("ids", ids);
    }
}
