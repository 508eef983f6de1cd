package io.orth.admin.queue;

import static java.util.Comparator.comparing;

import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.CompletionRepository.Completion;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.systemlog.LogLevel;
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
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Records messages that applications completed inside their own transactions, as results of their executors: the status, the journal
 * and the end of the completion are one transaction. On every node; each takes rows that no other has locked.
 */
final class CompletionIntake implements Duty {

    /** On it applications say that they have completed messages. */
    static final String CHANNEL = "orth_completion";

    private static final int BATCH = 500;
    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

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
            Splitter.split(List.copyOf(taken), e, part -> record(part, new ArrayList<>()), this::postpone);
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

    /** Goes by queue name, so that nodes cannot deadlock. Returns the queues with messages that may start now. */
    private Set<String> record(List<Completion> some) {
        Map<Worker, List<MessageResult>> results =
                new TreeMap<>(comparing(Worker::queue).thenComparing(Worker::executorId));
        some.stream()
                .filter(each -> each.executorId() != null)
                .forEach(each -> results.computeIfAbsent(
                                new Worker(each.queue(), each.executorId()), any -> new ArrayList<>())
                        .add(each.result()));
        Set<String> opened = new HashSet<>();
        results.forEach((worker, of) -> {
            if (driver.work(worker.queue(), of, new Claim(worker.executorId(), 0, "", 0, 0, 0, 0))
                    .opens()) {
                opened.add(worker.queue());
            }
        });
        return opened;
    }

    private void postpone(long id, RuntimeException why) {
        transactions.run(() -> completions.postpone(id, RETRY_DELAY));
        log.publish(
                LogLevel.WARN,
                "completion %d could not be recorded and is retried in %s: %s"
                        .formatted(id, RETRY_DELAY, why.getMessage()),
                null,
                null);
    }
}
