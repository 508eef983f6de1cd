package io.orth.admin.deadletter;

import io.orth.admin.deadletter.DeadLetterOwner.Outcome;
import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.deadletter.OperationRepository.Advance;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;

/**
 * Continues bulk operations, on every node. Each pass processes one part of the operation that has waited longest. The progress commits
 * with the changes, so the next pass resumes exactly there.
 *
 * <p>If messages are kept outside the database, they change outside of the transaction and the progress is committed afterwards. If that
 * commit fails, the same part is repeated and finds nothing left to do.
 *
 * <p>A failing part is repeated with half the items, down to one, which is then counted as failed and skipped. The size of parts adapts so
 * that a part takes at most 100 ms, because other transactions wait for the rows it locks. Retries are spread evenly over time: workers
 * have to process them, and a burst would delay other work of workers and database.
 */
@Component
final class OperationDuty implements Duty {

    static final int MOST = 1_000;

    private static final Logger log = LoggerFactory.getLogger(OperationDuty.class);
    private static final int FEWEST = 10;
    private static final long LONG_NANOS = Duration.ofMillis(100).toNanos();
    /** Pause of an operation whose queue or job is throttled. */
    private static final Duration HELD_FOR = Duration.ofMillis(250);

    /** Number of parts into which the retries of one second are divided. */
    private static final int PARTS = 20;

    /** A shorter pause would expire before {@code next_at} is read, and the operation would look idle. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);

    /** Lease of an operation whose part is processed outside of a transaction. */
    private static final Duration MINE_FOR = Duration.ofSeconds(30);

    /** Result of a part. */
    private record Step(Operation operation, Advance advance) {}

    private final OperationRepository operations;
    private final OperationPlan plan;
    private final Map<DeadKind, DeadLetterOwner> owners = new EnumMap<>(DeadKind.class);
    private final WaitingMessages waiting;
    private final Transactions transactions;
    private final Ticker ticker;
    private final SystemLog systemLog;
    private final int retriesPerSecond;
    /** Maximum size of the next part. This field and those below are used by the loop's thread only. */
    private int size = MOST;

    private long began;

    private boolean ofBranch;

    OperationDuty(
            OperationRepository operations,
            DeadLetterList letters,
            List<DeadLetterOwner> owners,
            WaitingMessages waiting,
            Transactions transactions,
            Ticker ticker,
            SystemLog systemLog,
            DeadLetterProperties properties) {
        this.operations = operations;
        owners.forEach(owner -> this.owners.put(owner.kind(), owner));
        this.plan = new OperationPlan(letters, this.owners);
        this.waiting = waiting;
        this.transactions = transactions;
        this.ticker = ticker;
        this.systemLog = systemLog;
        this.retriesPerSecond = properties.retriesPerSecond();
    }

    @Override
    public Pass run() {
        began = ticker.nanos();
        Optional<Step> done = step();
        if (done.isEmpty()) {
            return operations.next().map(Pass::nextAt).orElse(Pass.DRAINED);
        }
        Step step = done.get();
        ofBranch = !ofBranch;
        adapt(ticker.nanos() - began);
        if (step.advance().end()) {
            tellOfEnd(step.operation().id());
        }
        FaultPoints.reach(FaultPoints.OPERATION_AFTER_PART);
        return Pass.MORE;
    }

    private void adapt(long nanos) {
        if (nanos > LONG_NANOS) {
            size = Math.max(Math.min(size, FEWEST), size / 2);
        } else if (nanos < LONG_NANOS / 2) {
            size = Math.min(MOST, size * 2);
        }
    }

    /** Processes one part. If many items fail, parts stay small until items succeed again. */
    private Optional<Step> step() {
        AtomicReference<Operation> taken = new AtomicReference<>();
        return Splitter.next(
                size,
                count -> {
                    size = count;
                    return joinsTransactions() ? transactions.call(() -> part(taken)) : partOutside(taken);
                },
                why -> passOver(taken.get(), why));
    }

    private boolean joinsTransactions() {
        return waiting.joinsTransactions() && owners.values().stream().allMatch(DeadLetterOwner::joinsTransactions);
    }

    private Optional<Step> part(AtomicReference<Operation> taken) {
        return take(taken).map(one -> commit(one, part(one, size)));
    }

    private Optional<Operation> take(AtomicReference<Operation> taken) {
        Optional<Operation> operation = taken.get() == null
                ? operations.takeAny()
                : operations.take(taken.get().id());
        operation.ifPresent(taken::set);
        return operation;
    }

    private Optional<Step> partOutside(AtomicReference<Operation> taken) {
        Optional<Operation> mine = transactions.call(() -> {
            Optional<Operation> one = take(taken);
            one.ifPresent(operation -> operations.rest(operation.id(), MINE_FOR));
            return one;
        });
        if (mine.isEmpty()) {
            return Optional.empty();
        }
        Advance advance = part(mine.get(), size);
        FaultPoints.reach(FaultPoints.OPERATION_AFTER_PART);
        return transactions.call(() -> operations
                .take(mine.get().id())
                .filter(now -> now.place() == mine.get().place()
                        && now.branches().equals(mine.get().branches()))
                .map(now -> commit(now, advance)));
    }

    private Step commit(Operation operation, Advance advance) {
        operations.advance(operation.id(), advance);
        FaultPoints.reach(FaultPoints.OPERATION_BEFORE_COMMIT);
        return new Step(operation, advance);
    }

    private Advance part(Operation operation, int limit) {
        if (operation.action() == Action.PURGE) {
            WaitingMessages.Part part =
                    waiting.discard(operation.filter().queueId(), operation.place(), operation.createdAt(), limit);
            return new Advance(
                    part.last(), List.of(), part.done(), part.skipped(), 0, null, null, Duration.ZERO, part.end());
        }
        if (operation.action() == Action.DISCARD) {
            return done(plan.next(operation, limit, ofBranch), DeadLetterOwner::discard, Integer.MAX_VALUE);
        }
        int atOnce = Math.min(limit, Math.max(1, retriesPerSecond / PARTS));
        return done(plan.next(operation, atOnce, ofBranch), DeadLetterOwner::retry, retriesPerSecond);
    }

    @FunctionalInterface
    private interface Deed {
        Outcome to(DeadLetterOwner owner, List<DeadRef> letters);
    }

    private Advance done(OperationPlan.Next next, Deed deed, int perSecond) {
        List<DeadRef> some = next.letters();
        int done = 0;
        int failed = 0;
        String error = null;
        Map<DeadKind, List<DeadRef>> byKind = some.stream()
                .collect(
                        Collectors.groupingBy(DeadRef::kind, () -> new EnumMap<>(DeadKind.class), Collectors.toList()));
        for (Map.Entry<DeadKind, List<DeadRef>> each : byKind.entrySet()) {
            Outcome outcome = deed.to(owners.get(each.getKey()), each.getValue());
            done += outcome.done();
            failed += outcome.failed().size();
            error = outcome.failed().entrySet().stream()
                    .max(Map.Entry.comparingByKey())
                    .map(why -> "%s %d: %s".formatted(words(each.getKey()), why.getKey(), why.getValue()))
                    .orElse(error);
        }
        Duration rest = next.rests() ? HELD_FOR : pause(some.size(), perSecond);
        return next.advance(done, some.size() - done - failed, failed, error, rest);
    }

    /** Returns the pause after a part that keeps the rate, less the time that the part took. */
    private Duration pause(int letters, int perSecond) {
        Duration due = Duration.ofSeconds(letters).dividedBy(perSecond);
        Duration left = due.minusNanos(ticker.nanos() - began);
        return left.compareTo(SHORTEST_PAUSE) < 0 ? Duration.ZERO : left;
    }

    private static String words(DeadKind kind) {
        return kind == DeadKind.MESSAGE ? "message" : "run";
    }

    /** Counts the next item as failed and skips it. {@code taken} is null if no operation could be claimed. */
    private Optional<Step> passOver(Operation taken, RuntimeException why) {
        if (taken == null) {
            throw why;
        }
        log.atWarn()
                .addKeyValue("operation", taken.id())
                .addKeyValue("cause", why.toString())
                .log("one of an operation could not be done");
        return transactions.call(() ->
                operations.take(taken.id()).map(operation -> commit(operation, without(operation, why))));
    }

    private Advance without(Operation operation, RuntimeException why) {
        if (operation.action() == Action.PURGE) {
            long next = waiting.next(operation.filter().queueId(), operation.place(), operation.createdAt());
            return new Advance(next, List.of(), 0, 0, 1, words("message " + next, why), null, Duration.ZERO, false);
        }
        OperationPlan.Next next = plan.next(operation, 1, ofBranch);
        String error = next.letters().stream()
                .findFirst()
                .map(letter -> words(words(letter.kind()) + " " + letter.id(), why))
                .orElse(null);
        return error == null ? next.advance(0, 0, 0, null, HELD_FOR) : next.advance(0, 0, 1, error, Duration.ZERO);
    }

    private static String words(String what, RuntimeException why) {
        String reason = NestedExceptionUtils.getMostSpecificCause(why).getMessage();
        return "%s: %s".formatted(what, ErrorText.of(reason).error());
    }

    private void tellOfEnd(long id) {
        operations
                .find(id)
                .filter(operation -> operation.status() == Status.DONE)
                .ifPresent(operation -> systemLog.info("operation %d has ended: %s, %d done, %d skipped, %d failed"
                        .formatted(
                                id,
                                operation.action(),
                                operation.progress().done(),
                                operation.progress().skipped(),
                                operation.progress().failed())));
    }
}
