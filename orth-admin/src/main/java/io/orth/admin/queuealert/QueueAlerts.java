package io.orth.admin.queuealert;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.Queues;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Alert rules and their alerts. */
@Component
public final class QueueAlerts {

    private static final int MOST_RULES = 100;

    private final AlertRuleRepository rules;
    private final AlertRepository alerts;
    private final Queues queues;
    private final Transactions transactions;
    private final Clock clock;

    QueueAlerts(JdbcClient jdbc, Queues queues, Transactions transactions, Clock clock) {
        this.rules = new AlertRuleRepository(jdbc);
        this.alerts = new AlertRepository(jdbc);
        this.queues = queues;
        this.transactions = transactions;
        this.clock = clock;
    }

    public List<AlertRule> rules() {
        return rules.list();
    }

    public AlertRule rule(int id) {
        return rules.find(id).orElseThrow(() -> OrthException.notFound("alert rule", id));
    }

    public AlertRule create(AlertRuleSpec spec) {
        return transactions.call(() -> {
            if (rules.list().size() >= MOST_RULES) {
                throw OrthException.of(
                        ErrorCode.CONFLICT,
                        "there are %d rules already, as many as there may be".formatted(MOST_RULES));
            }
            Integer queue = queueOf(spec);
            return rule(saving(spec, () -> rules.insert(spec, queue)));
        });
    }

    /** Updates a rule. Fails if the rule no longer has {@code version}, the version that the editor saw. */
    public AlertRule update(int id, int version, AlertRuleSpec spec) {
        return transactions.call(() -> {
            rule(id);
            Integer queue = queueOf(spec);
            if (!saving(spec, () -> rules.update(id, version, spec, queue))) {
                throw OrthException.of(
                        ErrorCode.PRECONDITION_FAILED,
                        "alert rule %d was changed by someone else meanwhile; load it again".formatted(id));
            }
            return rule(id);
        });
    }

    /** Deletes a rule. Its firing alerts end; finished alerts are kept. */
    public void delete(int id) {
        transactions.run(() -> {
            if (!rules.delete(id)) {
                throw OrthException.notFound("alert rule", id);
            }
            alerts.endLeft(clock.instant());
        });
    }

    /** Returns alerts with ids below {@code before}, newest first. {@code firing} and {@code queue} are null for all. */
    public List<QueueAlert> list(Boolean firing, String queue, long before, int limit) {
        return alerts.list(firing, queue, before, limit);
    }

    private Integer queueOf(AlertRuleSpec spec) {
        if (spec.queue() == null) {
            return null;
        }
        return queues.find(spec.queue())
                .map(Queue::id)
                .orElseThrow(() -> OrthException.invalid("queue", "names a queue that does not exist"));
    }

    private static <T> T saving(AlertRuleSpec spec, Supplier<T> statement) {
        try {
            return statement.get();
        } catch (DuplicateKeyException e) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "there is an alert rule named '%s' already".formatted(spec.name()));
        }
    }
}
