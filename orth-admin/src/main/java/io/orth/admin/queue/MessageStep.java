package io.orth.admin.queue;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.InOrder;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.MessageMoves.Moved;
import io.orth.admin.queue.MessageRepository.Due;
import io.orth.admin.queue.MessageRepository.GivenMessage;
import io.orth.admin.queue.QueueRepository.Entered;
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
 * Unit of work for the messages of one queue, in one transaction and with one timestamp. The only writer of a message's status. Its creator
 * must call {@link #end} before the transaction ends.
 */
final class MessageStep {

    /** A kind of transition. All transitions of one kind run in one statement. */
    private record Edge(MessageStatus from, MessageStatus to) {

        boolean has(MessageMove move) {
            return move.from() == from && move.to() == to;
        }
    }

    /** In the order of their statements. */
    private static final List<Edge> EDGES = List.of(
            new Edge(MessageStatus.RUNNING, MessageStatus.DONE),
            new Edge(MessageStatus.RUNNING, MessageStatus.WAITING),
            new Edge(MessageStatus.RUNNING, MessageStatus.DEAD),
            new Edge(MessageStatus.DEAD, MessageStatus.WAITING),
            new Edge(MessageStatus.DEAD, MessageStatus.DISCARDED),
            new Edge(MessageStatus.WAITING, MessageStatus.DISCARDED));

    private final JdbcClient jdbc;
    private final LastWrites writes;
    private final QueueMetrics metrics;
    private final Queue queue;
    private final Instant at;
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
            Entered entered) {
        this.jdbc = jdbc;
        this.writes = writes;
        this.metrics = metrics;
        this.carried = carried;
        this.queue = entered.queue();
        this.at = entered.at();
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

    /** Records inserted messages. */
    void created(List<NewRow> rows) {
        tally.pushed(rows.size());
        Work work = Work.ofQueue(queue.name());
        lifecycle.created(
                rows.stream()
                        .map(row -> new MovedRow(
                                row.id(), 1, null, at, null, null, row.spec().traceId(), work, null))
                        .toList(),
                MessageStatus.WAITING,
                MessageCause.PUSHED.name());
    }

    /**
     * Claims locked messages for the executor. {@code claimed} are the same messages as delivered. Returns them with the tasks that they
     * carry, except for messages that are no longer needed, which complete immediately.
     */
    List<ClaimedMessage> claim(List<Due> due, List<GivenMessage> claimed, long executor) {
        due.forEach(
                message -> tally.claimed(Duration.between(message.dueAt(), at).toMillis()));
        Work work = Work.ofQueue(queue.name());
        new Lifecycle<MessageStatus, MessageMove>(
                        EntityKind.MESSAGE,
                        wanted -> {
                            moves.claim(writes, due, claimed, executor, at);
                            return due.stream()
                                    .map(message -> message.claimed(executor, at, work))
                                    .toList();
                        },
                        journal)
                .moveAll(due.stream()
                        .map(message -> MessageMove.claimed(message.id()))
                        .toList());
        return claimCarried(claimed, executor);
    }

    private List<ClaimedMessage> claimCarried(List<GivenMessage> claimed, long executor) {
        List<CarriedWork.Carried> carrying = GivenMessage.carrying(claimed);
        CarriedWork.Claimed taken = carrying.isEmpty()
                ? new CarriedWork.Claimed(Map.of(), Map.of())
                : carried.claim(queue.name(), executor, carrying, at);
        Map<Long, String> skipped = taken.skipped();
        if (!skipped.isEmpty()) {
            // The claim is a deferred write and must be executed before these messages can complete.
            writes.send();
            move(carrying.stream()
                    .map(CarriedWork.Carried::message)
                    .filter(message -> skipped.containsKey(message.id()))
                    .map(message -> MessageMove.done(
                            message.id(),
                            new Fence(executor, message.logId()),
                            "skipped: " + skipped.get(message.id()),
                            0))
                    .toList());
        }
        return claimed.stream()
                .filter(given -> !skipped.containsKey(given.message().id()))
                .map(given -> given.with(taken.tasks()))
                .toList();
    }

    /** Registers the executors' results of messages that are about to move. */
    void reported(Collection<MessageResult> some) {
        some.forEach(result -> results.put(result.id(), result));
    }

    /** Returns the ids of the messages that moved. */
    Set<Long> move(Collection<MessageMove> all) {
        return lifecycle.moveAll(all);
    }

    private void endCarried(MessageMove move, Long entity) {
        boolean skipped = move.reason() == MessageCause.COMPLETED && !results.containsKey(move.id());
        if (entity == null || move.from() != MessageStatus.RUNNING || skipped) {
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
                entity,
                move.fence(),
                end,
                move.failure() != null && move.failure().isLoss(),
                move.failure() == null ? null : move.failure().error(),
                results.get(move.id())));
    }

    private List<MovedRow> execute(List<MessageMove> all) {
        List<MovedRow> moved = new ArrayList<>(all.size());
        for (Edge edge : EDGES) {
            List<MessageMove> some = all.stream().filter(edge::has).toList();
            if (!some.isEmpty()) {
                InOrder<MessageMove> wanted = InOrder.of(some, MessageMove::id);
                for (Moved each : moves.move(edge.from(), edge.to(), queue, wanted.items(), at)) {
                    follow(wanted.get(each.row().id()), each);
                    moved.add(each.row());
                }
            }
        }
        return moved;
    }

    private void follow(MessageMove move, Moved moved) {
        tally.moved(move);
        endCarried(move, moved.entityId());
        if (moved.keys().any()) {
            (move.from() == MessageStatus.DEAD ? regained : freed).add(moved.keys());
        }
    }

    /** Writes everything that follows from the transitions. Returns whether further messages may start now or soon. */
    boolean end() {
        if (!ended.isEmpty()) {
            carried.ended(ended, at);
        }
        // Lock order as in claims: limits, then unique keys and ordering keys.
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
                // Later statements of the caller's transaction, if there is one, must see the messages as claimed.
                writes.send();
            }
            Transactions.afterCommit(() -> metrics.count(queue.name(), tally));
        }
        boolean belowLimit = queue.limits().concurrency() != null && tally.runningDelta() < 0;
        return unblocked > 0 || tally.of(Count.PUT_BACK) > 0 || belowLimit;
    }
}
