package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.Operation;
import java.util.List;
import java.util.Map;

/**
 * Something that is done to many, part by part.
 *
 * @param filter whom it concerns; null where they were named one by one, where it concerns all, and for a purge
 * @param ids the numbers of those that were named one by one; otherwise null
 * @param queue the queue it concerns; null where it is not about one
 */
record OperationView(@JsonUnwrapped Operation operation, FilterView filter, List<String> ids, String queue) {

    /** With the name of the queue instead of its id. */
    record FilterView(@JsonUnwrapped DeadLetterFilter filter, String queue) {}

    /** @param queues names by id */
    static OperationView of(Operation operation, Map<Integer, String> queues) {
        DeadLetterFilter filter = operation.filter();
        String queue = filter.queueId() == null ? null : queues.get(filter.queueId());
        boolean filtered = operation.action() != Operation.Action.PURGE && !filter.equals(DeadLetterFilter.ALL);
        List<Long> numbers = operation.numbers();
        return new OperationView(
                operation,
                filtered ? new FilterView(filter, queue) : null,
                numbers == null ? null : numbers.stream().map(String::valueOf).toList(),
                queue);
    }
}
