package io.orth.admin.queue;

import io.orth.admin.deadletter.WaitingMessages;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Waiting messages of queues, for purges. Running messages are not affected. */
@Component
final class QueuePurge implements WaitingMessages {

    private final QueueRepository queues;
    private final QueueDriver driver;
    private final QueueReader messages;

    QueuePurge(JdbcClient jdbc, QueueDriver driver, QueueReader messages) {
        this.queues = new QueueRepository(jdbc);
        this.driver = driver;
        this.messages = messages;
    }

    @Override
    public boolean joinsTransactions() {
        return driver.joinsTransactions();
    }

    @Override
    public long count(int queue) {
        return queues.find(name(queue))
                .map(known -> messages.depth(known).waiting())
                .orElse(0L);
    }

    @Override
    public Part discard(int queue, long after, Instant pushedBefore, int limit) {
        String name = name(queue);
        List<Long> ids = driver.waiting(name, after, pushedBefore, limit);
        int done = ids.isEmpty() ? 0 : driver.discard(name, ids, List.of()).size();
        long last = ids.isEmpty() ? after : ids.get(ids.size() - 1);
        return new Part(last, done, ids.size() - done, ids.size() < limit);
    }

    @Override
    public long next(int queue, long after, Instant pushedBefore) {
        return driver.waiting(name(queue), after, pushedBefore, 1).stream()
                .findFirst()
                .orElse(after);
    }

    private String name(int queue) {
        return queues.names(List.of(queue)).get(queue);
    }
}
