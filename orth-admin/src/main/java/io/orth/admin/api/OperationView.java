package io.orth.admin.api;

import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Something that is done to many, part by part.
 *
 * @param filter whom it concerns; null where they were named one by one, where it concerns all, and for a purge
 * @param ids the numbers of those that were named one by one; otherwise null
 * @param queue the queue it concerns; null where it is not about one
 * @param skipped were not dead, or did not wait, any more
 * @param failed could not be done
 * @param lastError why, for the last of these
 * @param heldBy queues and jobs that have enough to do for now, so that their dead letters wait; null where there are none
 */
record OperationView(
        String id,
        String action,
        String status,
        DeadLetterQuery filter,
        List<String> ids,
        boolean all,
        String queue,
        String reason,
        long total,
        long done,
        long skipped,
        long failed,
        String lastError,
        String heldBy,
        String createdBy,
        Instant createdAt,
        Instant updatedAt,
        Instant finishedAt) {

    /** @param queues names by id */
    static OperationView of(Operation operation, Map<Integer, String> queues) {
        DeadLetterFilter filter = operation.filter();
        String queue = filter.queueId() == null ? null : queues.get(filter.queueId());
        boolean filtered = operation.action() != Operation.Action.PURGE && !filter.equals(DeadLetterFilter.ALL);
        Operation.Progress progress = operation.progress();
        return new OperationView(
                Long.toString(operation.id()),
                operation.action().name(),
                operation.status().name(),
                filtered ? DeadLetterQuery.of(filter, queue) : null,
                operation.numbers() == null
                        ? null
                        : operation.numbers().stream()
                                .map(no -> Long.toString(no))
                                .toList(),
                operation.isOfAll(),
                queue,
                operation.reason(),
                progress.total(),
                progress.done(),
                progress.skipped(),
                progress.failed(),
                progress.lastError(),
                progress.heldBy(),
                operation.createdBy(),
                operation.createdAt(),
                operation.updatedAt(),
                operation.finishedAt());
    }
}
