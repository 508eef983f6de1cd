package io.orth.admin.queue;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.deadletter.DeadRef;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Messages that were given up, for whoever does something with many of them. */
final class DeadMessages implements DeadLetterOwner {

    /** A queue that has that many to begin gets no more back for now: what is pushed meanwhile would wait behind all of them. */
    static final int MOST_READY = 10_000;

    /** One step of one queue. */
    @FunctionalInterface
    private interface Deed {
        Set<Long> to(String queue, List<Long> ids);
    }

    private final QueueRepository queues;
    private final QueueDriver driver;
    private final QueueSignals signals;
    private final Transactions transactions;
    private final int mostReady;

    DeadMessages(JdbcClient jdbc, QueueDriver driver, QueueSignals signals, Transactions transactions, int mostReady) {
        this.queues = new QueueRepository(jdbc);
        this.driver = driver;
        this.signals = signals;
        this.transactions = transactions;
        this.mostReady = mostReady;
    }

    @Override
    public DeadKind kind() {
        return DeadKind.MESSAGE;
    }

    @Override
    public Outcome retry(List<DeadRef> letters) {
        return each(letters, this::retry);
    }

    private Set<Long> retry(String queue, List<Long> ids) {
        Map<Long, String> unchanged = new HashMap<>();
        ids.forEach(id -> unchanged.put(id, null));
        return driver.joinsTransactions() ? transactions.call(() -> retry(queue, unchanged)) : retry(queue, unchanged);
    }

    private Set<Long> retry(String queue, Map<Long, String> payloads) {
        Set<Long> retried = driver.retry(queue, payloads);
        if (!retried.isEmpty()) {
            Transactions.whenCommitted(() -> signals.pushed(queue));
        }
        return retried;
    }

    @Override
    public boolean joinsTransactions() {
        return driver.joinsTransactions();
    }

    @Override
    public Outcome discard(List<DeadRef> letters) {
        return each(letters, (queue, ids) -> driver.discard(queue, List.of(), ids));
    }

    /** Queue by queue, always in the same order: two who do so never wait for each other crosswise. */
    private Outcome each(List<DeadRef> letters, Deed deed) {
        Map<Integer, List<Long>> byQueue = letters.stream()
                .collect(Collectors.groupingBy(
                        DeadRef::owner, TreeMap::new, Collectors.mapping(DeadRef::id, Collectors.toList())));
        Map<Integer, String> names = queues.names(byQueue.keySet());
        return Outcome.of(byQueue.entrySet().stream()
                .mapToInt(each ->
                        deed.to(names.get(each.getKey()), each.getValue()).size())
                .sum());
    }

    @Override
    public Map<Integer, Room> room(Collection<Integer> owners) {
        Map<Integer, String> names = queues.names(owners);
        Map<String, Integer> ready = driver.ready(names.values(), mostReady);
        return names.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        queue -> new Room(
                                mostReady - ready.getOrDefault(queue.getValue(), 0), "queue " + queue.getValue())));
    }
}
