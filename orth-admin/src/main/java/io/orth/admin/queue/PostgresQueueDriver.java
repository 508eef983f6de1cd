package io.orth.admin.queue;

import io.orth.admin.kernel.DatabaseTrouble;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.InOrder;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Frontiers.Frontier;
import io.orth.admin.queue.MessageRepository.ClaimKey;
import io.orth.admin.queue.MessageRepository.Contents;
import io.orth.admin.queue.MessageRepository.Due;
import io.orth.admin.queue.MessageRepository.GivenMessage;
import io.orth.admin.queue.MessageRepository.HeldMessage;
import io.orth.admin.queue.QueueRepository.Entered;
import io.orth.admin.queue.Revocations.Revoked;
import io.orth.admin.queue.WorkerRepository.AtWork;
import io.orth.admin.queue.WorkerRepository.Given;
import io.orth.admin.queue.WorkerRepository.Gone;
import io.orth.admin.registry.HeldWork;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import io.orth.protocol.TaskOutcome;
import io.orth.protocol.TextLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Driver that keeps messages in Orth's own database. A message, its transitions and their journal commit together. */
@Component
final class PostgresQueueDriver implements QueueDriver {

    private static final Logger log = LoggerFactory.getLogger(PostgresQueueDriver.class);

    /**
     * Maximum size of one response in bytes, which the last message may exceed. As JSON it may be six times as long; executors read 32 MB.
     */
    private static final long MOST_BYTES = 1024 * 1024;

    /** Claims of at least this size run one after the other. Concurrent ones would pass over each other's locked rows. */
    private static final int MANY = 100;

    /** Upper bound for how far a message id is ahead of its time. */
    private static final Duration MOST_AHEAD = Duration.ofSeconds(10);

    private final JdbcClient jdbc;
    private final LastWrites writes;
    private final StateChanges journal;
    private final Transactions transactions;
    private final RunIdGenerator ids;
    private final QueueMetrics metrics;
    private final CarriedWork carried;
    private final QueueRepository queues;
    private final MessageRepository messages;
    private final WorkerRepository workers;
    private final QueueLimits limits;
    private final PushRepository pushes;
    private final Revocations revocations;
    private final InFlightRepository inFlight;
    private final Frontiers frontiers = new Frontiers(Ticker.system());

    PostgresQueueDriver(
            JdbcClient jdbc,
            LastWrites writes,
            StateChanges journal,
            Transactions transactions,
            RunIdGenerator ids,
            QueueMetrics metrics,
            CarriedWork carried) {
        this.jdbc = jdbc;
        this.writes = writes;
        this.journal = journal;
        this.transactions = transactions;
        this.ids = ids;
        this.metrics = metrics;
        this.carried = carried;
        this.queues = new QueueRepository(jdbc);
        this.messages = new MessageRepository(jdbc);
        this.workers = new WorkerRepository(jdbc);
        this.limits = new QueueLimits(jdbc);
        this.pushes = new PushRepository(jdbc);
        this.revocations = new Revocations(jdbc);
        this.inFlight = new InFlightRepository(jdbc);
    }

    @Override
    public List<Pushed> push(String queue, String id, List<MessageSpec> specs) {
        if (specs.isEmpty()) {
            return List.of();
        }
        List<NewRow> rows = rows(specs);
        return inStep(queue, step -> insert(step, id, rows));
    }

    /** Lock order: worker row, then key rows. Prevents deadlocks between steps that need both. */
    @Override
    public Handed push(String queue, String id, List<MessageSpec> specs, Claim waiting) {
        List<NewRow> rows = rows(specs);
        return inStepAgain(queue, waiting, (step, given) -> {
            List<Pushed> pushed = insert(step, id, rows);
            return new Handed(pushed, given.map(before -> handOver(step, waiting, before)));
        });
    }

    /**
     * Claims messages for a waiting poll after a push. Claims lock limits before keys, but here the keys are already locked. So in a queue
     * with limits the poll is served by its next attempt.
     */
    private List<ClaimedMessage> handOver(MessageStep step, Claim waiting, Given before) {
        return step.queue().limits().any() && !before.isUnder(waiting) ? List.of() : claim(step, waiting, before);
    }

    private List<NewRow> rows(List<MessageSpec> specs) {
        long[] numbers = ids.next(specs.size());
        List<NewRow> rows = new ArrayList<>(specs.size());
        for (int i = 0; i < numbers.length; i++) {
            rows.add(new NewRow(numbers[i], specs.get(i), false));
        }
        return rows;
    }

    private List<Pushed> insert(MessageStep step, String id, List<NewRow> rows) {
        if (id == null) {
            return insert(step, rows);
        }
        if (!pushes.begin(id, step.queue())) {
            return pushes.answer(id, step.queue(), rows.size());
        }
        List<Pushed> pushed = insert(step, rows);
        pushes.end(id, pushed);
        return pushed;
    }

    private List<Pushed> insert(MessageStep step, List<NewRow> rows) {
        MessageKeys keys = new MessageKeys(jdbc, step.queue().id());
        Map<Long, Long> holders = keys.take(rows, step.at());
        List<NewRow> added = keys.join(
                rows.stream().filter(row -> !holders.containsKey(row.id())).toList());
        if (!added.isEmpty()) {
            messages.insert(step.queue(), added, step.at());
            step.created(added);
        }
        return rows.stream()
                .map(row -> new Pushed(holders.getOrDefault(row.id(), row.id()), holders.containsKey(row.id())))
                .toList();
    }

    @Override
    public boolean joinsTransactions() {
        return true;
    }

    /** A task whose result cannot be stored fails alone. The other results count. */
    @Override
    public Turn work(String queue, List<MessageResult> results, Claim claim) {
        try {
            return workAtOnce(queue, results, claim);
        } catch (RuntimeException e) {
            if (!DatabaseTrouble.isOfTheItem(e) || results.stream().allMatch(result -> result.task() == null)) {
                throw e;
            }
            return workInParts(queue, results, claim);
        }
    }

    private Turn workInParts(String queue, List<MessageResult> results, Claim claim) {
        Claim none = Claim.none(claim.executorId());
        List<Turn> turns = new ArrayList<>();
        Splitter.run(results, part -> turns.add(workAtOnce(queue, part, none)), (result, failure) -> {
            if (result.task() == null) {
                throw failure;
            }
            turns.add(workAtOnce(queue, List.of(unfit(result)), none));
        });
        Turn claimed = workAtOnce(queue, List.of(), claim);
        turns.add(claimed);
        return new Turn(
                turns.stream().flatMap(turn -> turn.refused().stream()).toList(),
                turns.stream().mapToInt(Turn::counted).sum(),
                claimed.messages(),
                turns.stream().anyMatch(Turn::opens));
    }

    private static MessageResult unfit(MessageResult result) {
        String reason = "its result or a child cannot be stored";
        return new MessageResult(result.id(), result.logId(), Codes.FAIL, reason, true, null, result.runMillis())
                .with(new TaskOutcome(null, List.of(), new TaskOutcome.Problem("BAD_RESULT", reason, null)));
    }

    private Turn workAtOnce(String queue, List<MessageResult> results, Claim claim) {
        return transactions.call(() -> {
            AtWork worker = claim.slots() == 0
                    ? new AtWork(enter(queue), Optional.empty())
                    : workers.enter(queue, claim).orElseThrow(() -> unknown(queue));
            MessageStep step = step(worker.entered());
            InOrder<MessageResult> current = current(claim.executorId(), results);
            Set<Long> counted = settle(step, claim.executorId(), current);
            List<ClaimedMessage> claimed =
                    worker.given().map(before -> claim(step, claim, before)).orElse(List.of());
            boolean opens = end(step);
            return new Turn(
                    results.stream()
                            .filter(result -> !counted.contains(result.id())
                                    || current.get(result.id()).logId() != result.logId())
                            .map(MessageResult::id)
                            .toList(),
                    counted.size(),
                    claimed,
                    opens);
        });
    }

    @Override
    public Optional<List<ClaimedMessage>> tryAgain(String queue, Claim claim) {
        return inStepAgain(queue, claim, (step, given) -> given.map(before -> claim(step, claim, before)));
    }

    /** Runs {@code work} for a waiting claim. It receives the messages delivered before; empty if the claim may no longer receive any. */
    private <T> T inStepAgain(String queue, Claim waiting, BiFunction<MessageStep, Optional<Given>, T> work) {
        return transactions.call(() -> {
            AtWork worker = workers.enterAgain(queue, waiting).orElseThrow(() -> unknown(queue));
            return inStep(worker.entered(), step -> work.apply(step, worker.given()));
        });
    }

    private <T> T inStep(String queue, Function<MessageStep, T> work) {
        return transactions.call(() -> inStep(enter(queue), work));
    }

    private <T> T inStep(Entered entered, Function<MessageStep, T> work) {
        MessageStep step = step(entered);
        T result = work.apply(step);
        end(step);
        return result;
    }

    private Entered enter(String queue) {
        return queues.enter(queue).orElseThrow(() -> unknown(queue));
    }

    private MessageStep step(Entered entered) {
        return new MessageStep(jdbc, writes, journal, metrics, carried, entered);
    }

    private boolean end(MessageStep step) {
        boolean opens = step.end();
        if (opens) {
            Transactions.afterCommit(() -> frontiers.forget(step.queue().id()));
        }
        return opens;
    }

    private static OrthException unknown(String queue) {
        return OrthException.notFound("queue", queue);
    }

    // --- results

    /** Returns one result per message: if an executor had a message more than once, the result of its current claim. */
    private InOrder<MessageResult> current(long executor, List<MessageResult> results) {
        InOrder<MessageResult> first = InOrder.of(results, MessageResult::id);
        if (first.items().size() == results.size()) {
            return first;
        }
        Set<Long> current = messages.given(executor, first.ids()).stream()
                .map(given -> given.message().logId())
                .collect(Collectors.toSet());
        return InOrder.of(
                results.stream()
                        .filter(result -> current.contains(result.logId()))
                        .toList(),
                MessageResult::id);
    }

    private Set<Long> settle(MessageStep step, long executor, InOrder<MessageResult> results) {
        step.reported(results.items());
        List<MessageMove> moves = new ArrayList<>(results.items().size());
        List<ClaimKey> failed = new ArrayList<>();
        for (MessageResult result : results.items()) {
            if (result.code() == Codes.SUCCESS) {
                moves.add(MessageMove.done(
                        result.id(), fence(executor, result), said(result), Failure.runMillis(result)));
            } else if (result.code() == Codes.NONE) {
                moves.add(MessageMove.returned(result.id(), fence(executor, result)));
            } else {
                failed.add(new ClaimKey(result.id(), result.logId()));
            }
        }
        if (!failed.isEmpty()) {
            messages.lockHeld(step.queue().id(), executor, failed).stream()
                    .map(held -> judged(step.queue(), held, results.get(held.id())))
                    .forEach(moves::add);
        }
        return step.move(moves);
    }

    private static Fence fence(long executor, MessageResult result) {
        return new Fence(executor, result.logId());
    }

    private static String said(MessageResult result) {
        return result.text() == null ? null : TextLimit.STORED.cut(result.text().replace("\0", ""));
    }

    private static MessageMove judged(Queue queue, HeldMessage held, MessageResult result) {
        MessageCause why = result.code() == Codes.TIMEOUT ? MessageCause.TIMED_OUT : MessageCause.FAILED;
        Duration requested = result.retryAfterMillis() == null ? null : Duration.ofMillis(result.retryAfterMillis());
        RetryDecision decision = RetryDecision.next(policy(queue, held), held.attempt(), requested, result.forGood());
        return decided(decision, held, why, Failure.of(result));
    }

    private static MessageMove lost(Queue queue, HeldMessage held, Failure failure, Duration grace) {
        RetryDecision decision = RetryDecision.afterLoss(policy(queue, held), held.attempt(), grace);
        return decided(decision, held, MessageCause.LOST, failure);
    }

    private static RetryPolicy policy(Queue queue, HeldMessage held) {
        return new RetryPolicy(held.maxAttempts(), held.backoff() == null ? queue.backoff() : held.backoff());
    }

    private static MessageMove decided(RetryDecision decision, HeldMessage held, MessageCause why, Failure failure) {
        return MessageMove.failed(held, decision.outcome(), why, failure, decision.delay());
    }

    // --- claims

    /** Claims messages, at most once per claim. A repeated claim returns the messages that its executor may have received already. */
    private List<ClaimedMessage> claim(MessageStep step, Claim claim, Given before) {
        List<ClaimedMessage> claimed = before.messages().isEmpty() ? List.of() : givenBefore(claim, before.messages());
        if (before.isUnder(claim)) {
            return claimed;
        }
        if (claimed.isEmpty()) {
            claimed = claim(step, claim);
        }
        if (!claimed.isEmpty()) {
            workers.give(
                    writes,
                    step.queue().id(),
                    claim,
                    claimed.stream().map(ClaimedMessage::id).toList());
        }
        return claimed;
    }

    private List<ClaimedMessage> givenBefore(Claim claim, List<Long> ids) {
        List<GivenMessage> given = messages.given(claim.executorId(), ids);
        List<CarriedWork.Carried> carrying = GivenMessage.carrying(given);
        Map<Long, ClaimedTask> tasks = carrying.isEmpty() ? Map.of() : carried.given(claim.executorId(), carrying);
        return given.stream().map(each -> each.with(tasks)).toList();
    }

    private List<ClaimedMessage> claim(MessageStep step, Claim claim) {
        Queue queue = step.queue();
        if (queue.paused()) {
            return List.of();
        }
        return queue.limits().any() ? claimLimited(step, claim) : claim(step, claim, claim.slots());
    }

    @Override
    public List<ClaimedMessage> given(String queue, Claim claim) {
        return transactions.call(() -> workers.given(enter(queue).queue().id(), claim)
                .map(given -> givenBefore(claim, given))
                .orElse(List.of()));
    }

    private List<ClaimedMessage> claimLimited(MessageStep step, Claim claim) {
        QueueLimits.Allowance allowed = limits.allow(step.queue(), claim.slots(), step.at());
        if (allowed.messages() == 0) {
            return List.of();
        }
        List<ClaimedMessage> claimed = claim(step, claim, allowed.messages());
        limits.spend(step.queue(), allowed, claimed.size(), step.at());
        return claimed;
    }

    /** Repeats if all claimed messages were skipped, because further messages may follow them. */
    private List<ClaimedMessage> claim(MessageStep step, Claim claim, int limit) {
        List<ClaimedMessage> claimed;
        List<Due> due;
        do {
            due = due(step, limit);
            claimed = due.isEmpty() ? List.of() : claim(step, claim, due);
        } while (claimed.isEmpty() && !due.isEmpty());
        return claimed;
    }

    private List<ClaimedMessage> claim(MessageStep step, Claim claim, List<Due> due) {
        PrimitiveIterator.OfLong logs = Arrays.stream(
                        ids.next((int) due.stream().filter(Due::hadItsChance).count()))
                .iterator();
        Map<Long, Contents> large = messages.largeContents(due);
        List<GivenMessage> claimed = new ArrayList<>(due.size());
        for (Due message : due) {
            long logId = message.hadItsChance() ? logs.nextLong() : message.id();
            Contents contents = message.contents() == null ? large.get(message.id()) : message.contents();
            claimed.add(new GivenMessage(given(message, contents, logId, step.at()), message.entityId()));
        }
        return step.claim(due, claimed, claim.executorId());
    }

    private List<Due> due(MessageStep step, int limit) {
        return limit < MANY ? look(step, limit) : frontiers.inTurn(step.queue().id(), () -> look(step, limit));
    }

    /**
     * Reads due messages from the frontier and, if there are too few, from the start. The second read includes the messages that the first
     * one locked.
     */
    private List<Due> look(MessageStep step, int limit) {
        int queue = step.queue().id();
        Frontier known = frontiers.of(queue);
        List<Due> behind = messages.due(queue, known, limit, MOST_BYTES, step.at());
        boolean all = behind.size() < limit && !known.isNone();
        Frontier from = all ? Frontier.NONE : known;
        List<Due> due = all ? messages.due(queue, from, limit, MOST_BYTES, step.at()) : behind;
        frontiers.passed(queue, from, due, limit, step.at());
        return due;
    }

    private static ClaimedMessage given(Due message, Contents contents, long logId, Instant at) {
        return new ClaimedMessage(
                message.id(),
                message.attempt() + 1,
                message.maxAttempts(),
                logId,
                at.toEpochMilli(),
                contents.payload(),
                message.pushedAt().toEpochMilli(),
                contents.metadata(),
                message.traceId());
    }

    @Override
    public Set<Long> retry(String queue, Map<Long, String> payloads) {
        return inStep(
                queue,
                step -> step.move(payloads.entrySet().stream()
                        .map(each -> MessageMove.revived(each.getKey(), each.getValue()))
                        .toList()));
    }

    @Override
    public Set<Long> discard(String queue, Collection<Long> waiting, Collection<Long> dead) {
        return inStep(
                queue,
                step -> step.move(Stream.concat(
                                waiting.stream().map(id -> MessageMove.discarded(id, MessageStatus.WAITING)),
                                dead.stream().map(id -> MessageMove.discarded(id, MessageStatus.DEAD)))
                        .toList()));
    }

    @Override
    public List<Long> waiting(String queue, long after, Instant pushedBefore, int limit) {
        Queue known = queues.find(queue).orElseThrow(() -> unknown(queue));
        return messages.waiting(
                known.id(), after, pushedBefore, RunIdGenerator.lowestIdAt(pushedBefore.plus(MOST_AHEAD)), limit);
    }

    @Override
    public Map<String, Integer> ready(Collection<String> names, int most) {
        return messages.ready(names, most);
    }

    @Override
    public Map<String, Instant> nextDue(Collection<String> names) {
        return messages.nextDue(names);
    }

    // --- dead and offline executors

    @Override
    public List<Released> release(int most, Duration grace, Duration delay) {
        List<Released> released = new ArrayList<>();
        for (Gone gone : workers.gone(grace)) {
            try {
                int messages = release(gone, most, delay);
                if (messages > 0) {
                    released.add(new Released(gone.queue(), gone.instanceId(), messages));
                }
            } catch (RuntimeException e) {
                log.atWarn()
                        .addKeyValue("queue", gone.queue())
                        .addKeyValue("executor", gone.instanceId())
                        .setCause(e)
                        .log("messages of an executor that is gone could not be put back; tried again soon");
            }
        }
        return released;
    }

    /**
     * Requeues the messages of an executor. The worker row is deleted last, when it has no messages. If this method is interrupted, or the
     * worker claimed more in the meantime, the next pass finds the row again.
     *
     * <p>The claims are revoked in the same transaction, and nothing is taken from an executor that is online again. So the reply to its
     * first heartbeat lists everything that it must neither start nor continue.
     */
    private int release(Gone gone, int most, Duration delay) {
        List<ClaimKey> held = transactions.call(() -> {
            workers.lock(gone);
            return messages.heldBy(gone.queueId(), gone.executor());
        });
        AtomicInteger released = new AtomicInteger();
        for (int from = 0; from < held.size(); from += most) {
            Splitter.run(
                    held.subList(from, Math.min(held.size(), from + most)),
                    some -> released.addAndGet(release(gone, some, delay)),
                    (message, why) -> log.atWarn()
                            .addKeyValue("message", message.id())
                            .addKeyValue("executor", gone.instanceId())
                            .setCause(why)
                            .log("a message of an executor that is gone could not be put back; tried again soon"));
        }
        transactions.run(() -> {
            workers.lock(gone);
            if (messages.heldBy(gone.queueId(), gone.executor()).isEmpty()) {
                workers.remove(gone);
            }
        });
        return released.get();
    }

    private int release(Gone gone, List<ClaimKey> some, Duration delay) {
        return inStep(
                gone.queue(),
                step -> workers.isGone(gone)
                        ? lose(step, gone.executor(), some, Failure.lost(), delay)
                                .size()
                        : 0);
    }

    /**
     * Requeues messages and revokes their claims, because the executor may have them after all and must neither start nor continue them.
     */
    private Set<Long> lose(MessageStep step, long executor, List<ClaimKey> claims, Failure failure, Duration delay) {
        List<HeldMessage> held = messages.lockHeld(step.queue().id(), executor, claims);
        Set<Long> moved = step.move(held.stream()
                .map(message -> lost(step.queue(), message, failure, delay))
                .toList());
        revocations.add(
                held.stream()
                        .filter(message -> moved.contains(message.id()))
                        .map(message -> new Revoked(message.logId(), message.executorId()))
                        .toList(),
                step.at());
        return moved;
    }

    // --- online executors that do not have their messages

    @Override
    public InFlightPart inFlight(String queue, Place from, Duration age, int limit) {
        return queues.find(queue)
                .map(known -> inFlight.part(known, from, age, limit))
                .orElse(InFlightPart.NONE);
    }

    @Override
    public Set<Long> lose(String queue, long executorId, Collection<InFlight> wanted, HeldWork.Loss why) {
        List<ClaimKey> claims = wanted.stream()
                .map(message -> new ClaimKey(message.id(), message.logId()))
                .distinct()
                .sorted(Comparator.comparingLong(ClaimKey::id))
                .toList();
        return inStep(queue, step -> lose(step, executorId, claims, Failure.of(why), Duration.ZERO));
    }
}
