package io.orth.admin.queue;

import static java.util.Comparator.comparing;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.CompletionRepository.Completion;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.MessageResult;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Records messages that applications completed inside their own transactions, as results of their executors. The status, the journal and
 * the deletion of the completion commit together. Runs on every node; each node takes rows that no other has locked.
 *
 * <p>An unrecorded completion blocks every other result and every rescue of its message, so the number of attempts to record it is limited.
 * After the last attempt the message becomes a dead letter, and a task that it carries fails. Work that the application has committed must
 * not be repeated without a decision, so the error states that it was committed.
 */
@Component
final class CompletionIntake implements Duty {

    /** Channel on which applications announce completions. */
    static final String CHANNEL = "orth_completion";

    private static final int BATCH = 500;

    /** Ten attempts over about nine minutes. */
    private static final RetryPolicy POLICY =
            new RetryPolicy(10, new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0));

    private final CompletionRepository completions;
    private final QueueDriver driver;
    private final QueueSignals signals;
    private final Transactions transactions;
    private final SystemLog log;

    CompletionIntake(
            JdbcClient jdbc, QueueDriver driver, QueueSignals signals, Transactions transactions, SystemLog log) {
        this.completions = new CompletionRepository(jdbc);
        this.driver = driver;
        this.signals = signals;
        this.transactions = transactions;
        this.log = log;
    }

    private record Worker(String queue, long executorId) {}

    @Override
    public Pass run() {
        List<Long> taken = new ArrayList<>();
        try {
            record(null, taken);
        } catch (RuntimeException e) {
            Splitter.split(List.copyOf(taken), e, part -> record(part, new ArrayList<>()), this::failed);
        }
        return Pass.after(taken.size(), BATCH);
    }

    /** @param ids null for all */
    private void record(Collection<Long> ids, List<Long> taken) {
        Set<String> opened = transactions.call(() -> {
            List<Completion> some = completions.take(ids, BATCH);
            taken.clear();
            some.forEach(each -> taken.add(each.id()));
            Set<String> queues = record(some);
            completions.delete(taken);
            return queues;
        });
        opened.forEach(signals::pushed);
    }

    /**
     * Records completions as results. Processes queues in the order of their names, so nodes cannot deadlock. Returns the queues with
     * messages that may start now.
     */
    private Set<String> record(List<Completion> some) {
        Map<Worker, List<MessageResult>> results = some.stream()
                .filter(each -> each.executorId() != null)
                .collect(Collectors.groupingBy(
                        each -> new Worker(each.queue(), each.executorId()),
                        () -> new TreeMap<>(comparing(Worker::queue).thenComparing(Worker::executorId)),
                        Collectors.mapping(Completion::result, Collectors.toList())));
        Set<String> opened = new HashSet<>();
        results.forEach((worker, of) -> {
            if (driver.work(worker.queue(), of, Claim.none(worker.executorId())).opens()) {
                opened.add(worker.queue());
            }
        });
        return opened;
    }

    private void failed(long id, RuntimeException why) {
        completions.attempts(id).ifPresent(attempts -> {
            RetryDecision decision = RetryDecision.next(POLICY, attempts + 1, null, false);
            if (decision.isRetry()) {
                postpone(id, decision.delay(), why);
            } else {
                Splitter.run(
                        List.of(id),
                        any -> giveUp(id, attempts + 1, why),
                        (any, failure) -> postpone(id, POLICY.backoff().maxDelay(), failure));
            }
        });
    }

    private void postpone(long id, Duration delay, RuntimeException why) {
        transactions.run(() -> completions.postpone(id, delay));
        log.warn("completion %d could not be recorded and is retried in %s: %s".formatted(id, delay, why.getMessage()));
    }

    private void giveUp(long id, int attempts, RuntimeException why) {
        String error = "its application has completed and committed it, which could not be recorded in %d attempts: %s"
                .formatted(attempts, why.getMessage());
        List<Completion> given = transactions.call(() -> {
            List<Completion> failed = completions.take(List.of(id), 1).stream()
                    .map(each -> each.failed(error))
                    .toList();
            failed.forEach(completions::withdraw);
            Set<String> opened = record(failed);
            completions.delete(failed.stream().map(Completion::id).toList());
            Transactions.afterCommit(() -> opened.forEach(signals::pushed));
            return failed;
        });
        given.forEach(each -> log.error(
                "message %d of queue %s has failed: %s".formatted(each.result().id(), each.queue(), error)));
    }
}
