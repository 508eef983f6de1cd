package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.Rescue;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A bulk operation: an action on many items, done in parts.
 *
 * @param filter the items concerned; for a purge it has the queue
 * @param numbers the dead letters concerned if they were listed explicitly; otherwise null
 * @param lastNo highest number concerned; later dead letters are not part of the operation
 * @param place cursor of the operation
 * @param branches cursors of throttled queues and jobs, which are continued separately
 */
public record Operation(
        long id,
        Action action,
        Status status,
        @JsonIgnore DeadLetterFilter filter,
        @JsonIgnore List<Long> numbers,
        @JsonIgnore long lastNo,
        @JsonIgnore long place,
        @JsonIgnore List<Branch> branches,
        @JsonUnwrapped Progress progress,
        String reason,
        String createdBy,
        Instant createdAt,
        Instant updatedAt,
        Instant finishedAt) {

    public Operation {
        numbers = numbers == null ? null : List.copyOf(numbers);
        branches = List.copyOf(branches);
    }

    /** Cursor for the dead letters of one throttled queue or job. The operation's own cursor skips these. */
    record Branch(DeadKind kind, int owner, long place) {}

    public enum Action {
        /** Retries dead letters. */
        RETRY,
        /** Discards dead letters. */
        DISCARD,
        /** Discards all waiting messages of a queue. */
        PURGE
    }

    public enum Status implements io.orth.admin.kernel.Status<Status> {
        @Rescue(by = "operations", when = "its admin stopped between two batches", after = "1 s")
        RUNNING,
        /** Paused by a person. */
        @Rescue(by = Rescue.PERSON, when = "it was paused", after = "a person's decision")
        PAUSED,
        DONE,
        /** Cancelled by a person. Completed parts are not undone. */
        ABORTED;

        @Override
        public Set<Status> next() {
            return switch (this) {
                case RUNNING -> Set.of(PAUSED, DONE, ABORTED);
                case PAUSED -> Set.of(RUNNING, ABORTED);
                case DONE, ABORTED -> Set.of();
            };
        }
    }

    /**
     * Progress of a bulk operation.
     *
     * @param skipped items that were no longer dead letters, or no longer waiting
     * @param failed items with errors
     * @param lastError error of the last failed item
     * @param heldBy throttled queues and jobs whose dead letters have to wait; null if there are none
     */
    public record Progress(long total, long done, long skipped, long failed, String lastError, String heldBy) {}

    /** Returns whether it concerns all dead letters. */
    @JsonProperty("all")
    public boolean isOfAll() {
        return numbers == null && filter.equals(DeadLetterFilter.ALL);
    }
}
