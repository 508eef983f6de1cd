package io.orth.admin.deadletter;

import io.orth.admin.deadletter.DeadLetterOwner.Outcome;
import io.orth.admin.deadletter.DeadLetterOwner.Room;
import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.deadletter.OperationRepository.Advance;
import io.orth.admin.kernel.Duty;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/**
 * Goes on with operations, on every node: one part of one operation in a pass, whichever has waited longest and nobody is at. How
 * far it has come is committed with what was done, so whoever comes next goes on exactly there.
 *
 * <p>A part that fails is tried with half as many, down to one; that one has failed then and is passed over. Parts are made as large
 * as they may be to take a tenth of a second, because others wait for what they hold.
 */
final class OperationDuty implements Duty {

    static final int MOST = 1_000;

    private static final Logger log = LoggerFactory.getLogger(OperationDuty.class);
    private static final int FEWEST = 10;
    private static final long LONG_NANOS = Duration.ofMillis(100).toNanos();
    /** How long one is left alone whose queue or job has enough to do. */
    private static final Duration HELD_FOR = Duration.ofMillis(250);

    /** What came of a part. */
    private record Step(Operation operation, Advance advance) {}

    private final OperationRepository operations;
    private final DeadLetterList letters;
    private final Map<DeadKind, DeadLetterOwner> owners = new EnumMap<>(DeadKind.class);
    private final WaitingMessages waiting;
    private final Transactions transactions;
    private final Ticker ticker;
    private final SystemLog systemLog;
    /** Touched by the loop's thread only. */
    private int size = MOST;

    OperationDuty(
            JdbcClient jdbc,
            DeadLetterList letters,
            Collection<DeadLetterOwner> owners,
            WaitingMessages waiting,
            Transactions transactions,
            Ticker ticker,
            SystemLog systemLog) {
        this.operations = new OperationRepository(jdbc);
        this.letters = letters;
        owners.forEach(owner -> this.owners.put(owner.kind(), owner));
        this.waiting = waiting;
        this.transactions = transactions;
        this.ticker = ticker;
        this.systemLog = systemLog;
    }

    @Override
    public Pass run() {
        long began = ticker.nanos();
        Optional<Step> done = step();
        if (done.isEmpty()) {
            return operations.next().map(Pass::nextAt).orElse(Pass.DRAINED);
        }
        Step step = done.get();
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

    /** Where many fail, parts stay small until they succeed again. */
    private Optional<Step> step() {
        AtomicReference<Operation> taken = new AtomicReference<>();
        while (true) {
            try {
                return transactions.call(() -> part(taken));
            } catch (RuntimeException e) {
                if (taken.get() == null || isNoFaultOfTheLetters(e)) {
                    throw e;
                }
                if (size == 1) {
                    return passOver(taken.get().id(), e);
                }
                size /= 2;
            }
        }
    }

    private Optional<Step> part(AtomicReference<Operation> taken) {
        Optional<Operation> operation = taken.get() == null
                ? operations.takeAny()
                : operations.take(taken.get().id());
        operation.ifPresent(taken::set);
        return operation.map(one -> commit(one, part(one, size)));
    }

    private static boolean isNoFaultOfTheLetters(RuntimeException failure) {
        return failure instanceof TransactionException || failure instanceof DataAccessResourceFailureException;
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
            return new Advance(part.last(), part.done(), part.skipped(), 0, null, null, Duration.ZERO, part.end());
        }
        DeadLetterList.Part part = next(operation, limit);
        if (operation.action() == Action.DISCARD) {
            return done(part.letters(), DeadLetterOwner::discard, part.place(), null, part.end());
        }
        return retry(part);
    }

    private DeadLetterList.Part next(Operation operation, int limit) {
        return operation.numbers() == null
                ? letters.next(operation.filter(), operation.place(), operation.lastNo(), limit)
                : letters.next(operation.numbers(), operation.place(), operation.lastNo(), limit);
    }

    /** As many of them, in their order, as there is room for. */
    private Advance retry(DeadLetterList.Part part) {
        Map<DeadKind, Map<Integer, Room>> room = new EnumMap<>(DeadKind.class);
        byKind(part.letters())
                .forEach((kind, some) -> room.put(
                        kind,
                        owners.get(kind).room(some.stream().map(DeadRef::owner).collect(Collectors.toSet()))));
        Map<DeadKind, Map<Integer, Integer>> used = new EnumMap<>(DeadKind.class);
        for (int i = 0; i < part.letters().size(); i++) {
            DeadRef letter = part.letters().get(i);
            Room its = room.get(letter.kind()).get(letter.owner());
            int places =
                    used.computeIfAbsent(letter.kind(), any -> new HashMap<>()).merge(letter.owner(), 1, Integer::sum);
            if (its != null && places > its.places()) {
                List<DeadRef> some = part.letters().subList(0, i);
                return done(some, DeadLetterOwner::retry, letter.no() - 1, its.name(), false);
            }
        }
        return done(part.letters(), DeadLetterOwner::retry, part.place(), null, part.end());
    }

    @FunctionalInterface
    private interface Deed {
        Outcome to(DeadLetterOwner owner, List<DeadRef> letters);
    }

    private Advance done(List<DeadRef> some, Deed deed, long place, String heldBy, boolean end) {
        int done = 0;
        int failed = 0;
        String error = null;
        for (Map.Entry<DeadKind, List<DeadRef>> each : byKind(some).entrySet()) {
            Outcome outcome = deed.to(owners.get(each.getKey()), each.getValue());
            done += outcome.done();
            failed += outcome.failed().size();
            error = outcome.failed().entrySet().stream()
                    .max(Map.Entry.comparingByKey())
                    .map(why -> "%s %d: %s".formatted(words(each.getKey()), why.getKey(), why.getValue()))
                    .orElse(error);
        }
        Duration rest = heldBy == null ? Duration.ZERO : HELD_FOR;
        return new Advance(place, done, some.size() - done - failed, failed, error, heldBy, rest, end);
    }

    private static String words(DeadKind kind) {
        return kind == DeadKind.MESSAGE ? "message" : "run";
    }

    private static Map<DeadKind, List<DeadRef>> byKind(List<DeadRef> some) {
        return some.stream()
                .collect(
                        Collectors.groupingBy(DeadRef::kind, () -> new EnumMap<>(DeadKind.class), Collectors.toList()));
    }

    /** The next one cannot be done, and the others go on without it. */
    private Optional<Step> passOver(long id, RuntimeException why) {
        log.atWarn()
                .addKeyValue("operation", id)
                .addKeyValue("cause", why.toString())
                .log("one of an operation could not be done");
        return transactions.call(() ->
                operations.take(id).map(operation -> commit(operation, without(operation, why))));
    }

    private Advance without(Operation operation, RuntimeException why) {
        if (operation.action() == Action.PURGE) {
            long next = waiting.next(operation.filter().queueId(), operation.place(), operation.createdAt());
            return passedOver(next, "message " + next, why);
        }
        return next(operation, 1).letters().stream()
                .findFirst()
                .map(letter -> passedOver(letter.no(), words(letter.kind()) + " " + letter.id(), why))
                .orElseGet(() -> new Advance(operation.place(), 0, 0, 0, null, null, HELD_FOR, false));
    }

    private static Advance passedOver(long place, String what, RuntimeException why) {
        String reason = NestedExceptionUtils.getMostSpecificCause(why).getMessage();
        String error = "%s: %s".formatted(what, ErrorText.of(reason).error());
        return new Advance(place, 0, 0, 1, error, null, Duration.ZERO, false);
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
