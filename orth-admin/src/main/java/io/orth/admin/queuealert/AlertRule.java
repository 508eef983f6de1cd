package io.orth.admin.queuealert;

import io.orth.admin.queue.Queue;
import java.time.Instant;

/**
 * A stored rule.
 *
 * @param queueId the queue concerned; null for all
 * @param version rises with each edit
 */
public record AlertRule(
        int id, AlertRuleSpec spec, Integer queueId, int version, Instant createdAt, Instant updatedAt) {

    boolean covers(Queue queue) {
        return spec.enabled() && (queueId == null || queueId == queue.id());
    }
}
