package io.orth.admin.queue;

import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Dead letters of queues, kept until an operator retries or discards them or their retention ends. */
@Component
public final class DeadLetters {

    private final QueueDriver driver;
    private final QueueSignals signals;

    DeadLetters(QueueDriver driver, QueueSignals signals) {
        this.driver = driver;
        this.signals = signals;
    }

    /** Retries these messages. Returns those that were dead letters. */
    public Set<Long> retry(Queue queue, Collection<Long> ids) {
        return retry(queue.name(), ids);
    }

    Set<Long> retry(String queue, Collection<Long> ids) {
        Map<Long, String> unchanged = new HashMap<>();
        ids.forEach(id -> unchanged.put(id, null));
        return retry(queue, unchanged);
    }

    /** Retries this message with another payload. Returns whether it was a dead letter. */
    public boolean retry(Queue queue, long id, String payload) {
        return !retry(queue.name(), Collections.singletonMap(id, payload)).isEmpty();
    }

    private Set<Long> retry(String queue, Map<Long, String> payloads) {
        Set<Long> retried = driver.retry(queue, payloads);
        if (!retried.isEmpty()) {
            Transactions.whenCommitted(() -> signals.pushed(queue));
        }
        return retried;
    }

    /** Discards these messages. Returns those that were dead letters. */
    public Set<Long> discard(Queue queue, Collection<Long> ids) {
        return driver.discard(queue.name(), List.of(), ids);
    }
}
