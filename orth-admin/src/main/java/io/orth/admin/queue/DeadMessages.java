package io.orth.admin.queue;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.deadletter.DeadRef;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Handler of dead-lettered messages for bulk operations. */
final class DeadMessages implements DeadLetterOwner {

    /** Maximum number of ready messages for which dead letters are retried. New pushes would otherwise wait behind all of them. */
    static final int MOST_READY = 10_000;

    private final QueueRepository queues;
    private final QueueDriver driver;
    private final DeadLetters deadLetters;
    private final int mostReady;

    DeadMessages(JdbcClient jdbc, QueueDriver driver, DeadLetters deadLetters, int mostReady) {
        this.queues = new QueueRepository(jdbc);
        this.driver = driver;
        this.deadLetters = deadLetters;
        this.mostReady = mostReady;
    }

    @Override
    public DeadKind kind() {
        return DeadKind.MESSAGE;
    }

    @Override
    public Outcome retry(List<DeadRef> letters) {
        return each(letters, deadLetters::retry);
    }

    @Override
    public boolean joinsTransactions() {
        return driver.joinsTransactions();
    }

    @Override
    public Outcome discard(List<DeadRef> letters) {
        return each(letters, (queue, ids) -> driver.discard(queue, List.of(), ids));
    }

    /** Processes one queue after the other, in the order of their ids, so two operations cannot deadlock. */
    private Outcome each(List<DeadRef> letters, BiFunction<String, List<Long>, Set<Long>> deed) {
        Map<Integer, List<Long>> byQueue = letters.stream()
                .collect(Collectors.groupingBy(
                        DeadRef::owner, TreeMap::new, Collectors.mapping(DeadRef::id, Collectors.toList())));
        Map<Integer, String> names = queues.names(byQueue.keySet());
        return Outcome.of(byQueue.entrySet().stream()
                .mapToInt(each ->
                        deed.apply(names.get(each.getKey()), each.getValue()).size())
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
