package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.Operation;
import java.util.List;
import java.util.Map;

/**
 * Bulk operation in a response.
 *
 * @param filter affected items; null for a list of numbers, for all dead letters, and for a purge
 * @param ids numbers of the affected dead letters; null if they are not listed individually
 * @param queue affected queue; null if the operation is not limited to one
 */
record OperationView(@JsonUnwrapped Operation operation, FilterView filter, List<String> ids, String queue) {

    /** Filter with the name of the queue instead of its id. */
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
