package io.orth.admin.queue;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.InOrder;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.MessageRepository.Due;
import io.orth.admin.queue.Tally.Count;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.StateTransition.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What happens to the messages of one queue in one transaction, all at one moment. The only writer of a message's status. Whoever
 * made it calls {@link #end} before the transaction ends.
 */
final class MessageStep {

    private final JdbcClient jdbc;
    private final LastWrites writes;
    private final QueueMetrics metrics;
    private final Queue queue;
    private final Instant at;
    private final Work work;
    private final MessageMoves moves;
    private final StateChanges journal;
    private final Lifecycle<MessageStatus, MessageMove> lifecycle;
    private final Tally tally = new Tally();
    private final List<MessageKeys.Held> freed = new ArrayList<>();
    private final List<MessageKeys.Held> regained = new ArrayList<>();
    private final CarriedWork carried;
    private final Map<Long, MessageResult> results = new HashMap<>();
    private final List<CarriedWork.Ended> ended = new ArrayList<>();

    MessageStep(
            JdbcClient jdbc,
            LastWrites writes,
            StateChanges journal,
            QueueMetrics metrics,
            CarriedWork carried,
            Queue queue,
            Instant at) {
        this.jdbc = jdbc;
        this.writes = writes;
        this.metrics = metrics;
        this.carried = carried;
        this.queue = queue;
        this.at = at;
        this.work = Work.ofQueue(queue.name());
        this.moves = new MessageMoves(jdbc);
        this.journal = journal;
        this.lifecycle = new Lifecycle<>(EntityKind.MESSAGE, this::execute, journal);
    }

    Queue queue() {
        return queue;
    }

    Instant at() {
        return at;
    }

    /** These were just inserted. */
    void created(List<NewRow> rows) {
        tally.pushed(rows.size());
        lifecycle.created(
                rows.stream()
                        .map(row -> new MovedRow(
                                row.id(), 1, null, at, null, null, row.spec().traceId(), work, null))
                        .toList(),
                MessageStatus.WAITING,
                MessageCause.PUSHED.name());
    }

    /**
     * These are locked: they go to the executor.
     *
     * @param claimed the same, as they are given away
     */
    void claim(List<Due> due, List<ClaimedMessage> claimed, long executor) {
        due.forEach(
                message -> tally.claimed(Duration.between(message.dueAt(), at).toMillis()));
        new Lifecycle<MessageStatus, MessageMove>(
                        EntityKind.MESSAGE,
                        wanted -> {
                            moves.claim(writes, due, claimed, executor, at);
                            return due.stream()
                                    .map(message -> row(
                                            message.id(),
                                            message.sequence() + 1,
                                            message.since(),
                                            executor,
                                            message.traceId(),
                                            message.attempt() + 1))
                                    .toList();
                        },
                        journal)
                .moveAll(due.stream()
                        .map(message -> MessageMove.claimed(message.id()))
                        .toList());
    }

    /** Two transactions may have begun in another order than they came to the row. */
    private MovedRow row(long id, int sequence, Instant since, Long executor, String traceId, int attempt) {
        return new MovedRow(id, sequence, since.isAfter(at) ? at : since, at, null, executor, traceId, work, attempt);
    }

    /**
     * What of claimed messages goes to the executor, with what they carry. Messages that are of no use any more are done.
     *
     * @param due the messages that were claimed, in the same order
     */
    List<ClaimedMessage> claimCarried(List<Due> due, List<ClaimedMessage> claimed, long executor) {
        List<CarriedWork.Carried> carrying = new ArrayList<>();
        for (int i = 0; i < claimed.size(); i++) {
            if (due.get(i).entityId() != null) {
                carrying.add(new CarriedWork.Carried(due.get(i).entityId(), claimed.get(i)));
            }
        }
        if (carrying.isEmpty()) {
            return claimed;
        }
        CarriedWork.Claimed taken = carried.claim(queue.name(), executor, carrying, at);
        if (!taken.skipped().isEmpty()) {
            // They were claimed by a statement that waits for the end of the transaction.
            writes.send();
            move(carrying.stream()
                    .map(CarriedWork.Carried::message)
                    .filter(message -> taken.skipped().containsKey(message.id()))
                    .map(message -> MessageMove.done(
                            message.id(),
                            message.logId(),
                            executor,
                            "skipped: " + taken.skipped().get(message.id()),
                            0))
                    .toList());
        }
        return claimed.stream()
                .filter(message -> !taken.skipped().containsKey(message.id()))
                .map(message -> taken.tasks().containsKey(message.id())
                        ? message.with(taken.tasks().get(message.id()))
                        : message)
                .toList();
    }

    /** What executors reported of messages that are about to move. */
    void reported(Collection<MessageResult> some) {
        some.forEach(result -> results.put(result.id(), result));
    }

    /** Returns the ids that moved. */
    Set<Long> move(Collection<MessageMove> all) {
        return lifecycle.moveAll(all);
    }

    private void endCarried(MessageMove move, MessageMoves.Moved row) {
        boolean skipped = move.reason() == MessageCause.COMPLETED && !results.containsKey(move.id());
        if (row.entityId() == null || move.from() != MessageStatus.RUNNING || skipped) {
            return;
        }
        CarriedWork.End end = move.to() == MessageStatus.WAITING
                ? move.reason() == MessageCause.RETURNED ? CarriedWork.End.RETURNED : CarriedWork.End.RETRIED
                : switch (move.reason()) {
                    case EXHAUSTED -> CarriedWork.End.EXHAUSTED;
                    case FAILED_FOR_GOOD -> CarriedWork.End.NON_RETRYABLE;
                    default -> CarriedWork.End.SUCCEEDED;
                };
        ended.add(new CarriedWork.Ended(
                row.entityId(),
                move.fence(),
                end,
                move.failure() != null && move.failure().isLoss(),
                move.failure() == null ? null : move.failure().error(),
                results.get(move.id())));
    }

    private List<MovedRow> execute(List<MessageMove> all) {
        List<MovedRow> moved = new ArrayList<>(all.size());
        apply(all, MessageStatus.RUNNING, MessageStatus.DONE, some -> moves.complete(queue.id(), some, at), moved);
        apply(all, MessageStatus.RUNNING, MessageStatus.WAITING, some -> moves.putBack(queue.id(), some, at), moved);
        apply(all, MessageStatus.RUNNING, MessageStatus.DEAD, some -> moves.bury(queue.id(), some, at), moved);
        apply(all, MessageStatus.DEAD, MessageStatus.WAITING, some -> moves.revive(queue.id(), some, at), moved);
        apply(all, MessageStatus.DEAD, MessageStatus.DISCARDED, some -> moves.drop(queue.id(), some, at), moved);
        apply(all, MessageStatus.WAITING, MessageStatus.DISCARDED, some -> moves.discard(queue.id(), some, at), moved);
        return moved;
    }

    /** One statement for moves of one kind. */
    @FunctionalInterface
    private interface Statement {
        List<MessageMoves.Moved> execute(List<MessageMove> some);
    }

    private void apply(
            List<MessageMove> all, MessageStatus from, MessageStatus to, Statement statement, List<MovedRow> moved) {
        List<MessageMove> some = all.stream()
                .filter(move -> move.from() == from && move.to() == to)
                .toList();
        if (some.isEmpty()) {
            return;
        }
        InOrder<MessageMove> wanted = InOrder.of(some, MessageMove::id);
        for (MessageMoves.Moved row : statement.execute(wanted.items())) {
            tally.moved(wanted.get(row.id()));
            endCarried(wanted.get(row.id()), row);
            if (row.groupKey() != null || row.uniqueKey() != null) {
                (from == MessageStatus.DEAD ? regained : freed)
                        .add(new MessageKeys.Held(row.id(), row.groupKey(), row.uniqueKey(), row.blocked()));
            }
            moved.add(row(row.id(), row.sequence(), row.since(), row.executorId(), row.traceId(), row.attempt()));
        }
    }

    /**
     * Does what follows from all that was done.
     *
     * @return whether messages may be begun now, or soon, that others had to come before
     */
    boolean end() {
        if (!ended.isEmpty()) {
            carried.ended(ended, at);
        }
        // Whoever claims enters the limits before keys and groups.
        if (queue.limits().concurrency() != null && tally.runningDelta() != 0) {
            new QueueLimits(jdbc).running(queue.id(), tally.runningDelta());
        }
        MessageKeys keys = new MessageKeys(jdbc, queue.id());
        if (!regained.isEmpty()) {
            keys.regain(regained, at);
        }
        int unblocked = freed.isEmpty() ? 0 : keys.free(freed);
        if (!tally.isEmpty()) {
            tally.write(writes, queue.id(), at);
            if (tally.of(Count.CLAIMED) > 0) {
                // What goes on in the caller's transaction, where there is one, finds them claimed.
                writes.send();
            }
            Transactions.afterCommit(() -> metrics.count(queue.name(), tally));
        }
        boolean belowLimit = queue.limits().concurrency() != null && tally.runningDelta() < 0;
        return unblocked > 0 || tally.of(Count.PUT_BACK) > 0 || belowLimit;
    }
}
