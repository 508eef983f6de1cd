package io.orth.admin.deadletter;

import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.deadletter.OperationMove.Reason;
import io.orth.admin.deadletter.OperationRepository.New;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Bulk operations on dead letters and on the waiting messages of a queue: starting, listing, pausing and cancelling. */
@Component
public final class Operations {

    /** For more dead letters, use a filter. */
    public static final int MOST_NUMBERS = 1_000;

    private final OperationRepository operations;
    private final DeadLetterList letters;
    private final WaitingMessages waiting;
    private final Transactions transactions;
    private final SystemLog log;
    /** Wakes the duty that runs operations. */
    private volatile Runnable begun = () -> {};

    Operations(
            OperationRepository operations,
            DeadLetterList letters,
            WaitingMessages waiting,
            Transactions transactions,
            SystemLog log) {
        this.operations = operations;
        this.letters = letters;
        this.waiting = waiting;
        this.transactions = transactions;
        this.log = log;
    }

    void onBegun(Runnable look) {
        begun = look;
    }

    /** Returns the number of dead letters that match the filter. Fails if too many would have to be read. */
    public long count(DeadLetterFilter filter) {
        return letters.count(filter)
                .orElseThrow(() -> OrthException.invalid(
                        "filter", "has too many to look through; narrow it by queue, jobId, fingerprint, from or to"));
    }

    /** Returns how many of these dead letters exist. */
    public long count(Collection<Long> numbers) {
        return letters.next(numbers, 0, Long.MAX_VALUE - 1, MOST_NUMBERS)
                .letters()
                .size();
    }

    /** Starts an operation on all present dead letters that match the filter. */
    public Operation begin(Action action, DeadLetterFilter filter, String by, String reason) {
        long last = letters.last();
        return begin(new New(action, filter, null, last, count(filter), reason, by));
    }

    /** Starts an operation on the dead letters with these numbers. */
    public Operation begin(Action action, Collection<Long> numbers, String by, String reason) {
        Set<Long> distinct = new TreeSet<>(numbers);
        return begin(new New(action, DeadLetterFilter.ALL, distinct, letters.last(), distinct.size(), reason, by));
    }

    /** Starts discarding all waiting messages of the queue that were pushed before now. */
    public Operation beginPurge(int queue, String by) {
        return begin(new New(
                Action.PURGE, DeadLetterFilter.ofQueue(queue), null, Long.MAX_VALUE, waiting.count(queue), "", by));
    }

    private Operation begin(New wanted) {
        Operation operation = transactions.call(() -> operations.add(wanted));
        log.info("%s begins operation %d: %s of %d%s"
                .formatted(
                        operation.createdBy(),
                        operation.id(),
                        operation.action(),
                        operation.progress().total(),
                        operation.reason().isEmpty() ? "" : ", " + operation.reason()));
        begun.run();
        return operation;
    }

    public Operation get(long id) {
        return operations.find(id).orElseThrow(() -> OrthException.notFound("operation", id));
    }

    /** Returns operations with ids below {@code before}, latest first. {@code status} is null for any. */
    public List<Operation> list(Status status, long before, int limit) {
        return operations.list(status, before, limit);
    }

    /** Pauses the operation. When this returns, nothing more is processed until it is resumed. */
    public Operation pause(long id) {
        return move(id, () -> operations.move(id, Status.RUNNING, Status.PAUSED, Reason.PAUSED));
    }

    public Operation resume(long id) {
        Operation resumed = move(id, () -> operations.move(id, Status.PAUSED, Status.RUNNING, Reason.RESUMED));
        begun.run();
        return resumed;
    }

    /** Cancels the operation. When this returns, nothing more is processed. Completed parts are not undone. */
    public Operation abort(long id, String by) {
        Operation aborted = move(
                id,
                () -> operations.move(id, Status.RUNNING, Status.ABORTED, Reason.ABORTED)
                        || operations.move(id, Status.PAUSED, Status.ABORTED, Reason.ABORTED));
        log.info("%s aborts operation %d: %s, %d of %d done"
                .formatted(
                        by,
                        id,
                        aborted.action(),
                        aborted.progress().done(),
                        aborted.progress().total()));
        return aborted;
    }

    private Operation move(long id, BooleanSupplier change) {
        boolean moved = transactions.call(change::getAsBoolean);
        Operation operation = get(id);
        if (!moved) {
            throw OrthException.of(ErrorCode.CONFLICT, "operation %d is %s".formatted(id, operation.status()));
        }
        return operation;
    }
}
