package io.orth.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.Rescue;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Something that is done to many, part by part.
 *
 * @param filter whom it concerns; that of a purge has its queue
 * @param numbers whom it concerns where they were named one by one; otherwise null
 * @param lastNo what has a higher number came later and is not concerned
 * @param place how far it has come
 * @param branches how far with those of queues and jobs that had enough to do when it came to them
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

    /** How far it has come with the dead letters of one queue or job; the operation's own place passes over these. */
    record Branch(DeadKind kind, int owner, long place) {}

    public enum Action {
        /** Gives dead letters another chance. */
        RETRY,
        /** Ends dead letters. */
        DISCARD,
        /** Ends what waits in a queue. */
        PURGE
    }

    public enum Status implements io.orth.admin.kernel.Status<Status> {
        @Rescue(by = "operations", when = "its admin stopped between two parts of it", after = "1 s")
        RUNNING,
        /** Somebody wants it to wait. */
        @Rescue(by = Rescue.PERSON, when = "it was paused", after = "the decision")
        PAUSED,
        DONE,
        /** Somebody wanted no more of it; what was done is done. */
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
     * How it does.
     *
     * @param skipped were not dead, or did not wait, any more
     * @param failed could not be done
     * @param lastError why, for the last of these
     * @param heldBy queues and jobs that have enough to do for now, so that their dead letters wait; null where there are none
     */
    public record Progress(long total, long done, long skipped, long failed, String lastError, String heldBy) {}

    /** Whether it concerns all dead letters. */
    @JsonProperty("all")
    public boolean isOfAll() {
        return numbers == null && filter.equals(DeadLetterFilter.ALL);
    }
}
