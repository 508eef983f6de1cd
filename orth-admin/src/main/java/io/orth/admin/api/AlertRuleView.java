package io.orth.admin.api;

import io.orth.admin.queuealert.AlertCondition.Backlog;
import io.orth.admin.queuealert.AlertCondition.FailureRatio;
import io.orth.admin.queuealert.AlertRule;
import io.orth.admin.queuealert.AlertRuleSpec;
import java.time.Duration;
import java.time.Instant;

/** A rule as the API shows it; what its kind does not have is null. */
record AlertRuleView(
        String id,
        String name,
        String kind,
        String queue,
        Long waiting,
        Long oldestSeconds,
        Double ratio,
        Long minEnded,
        Long overSeconds,
        long forSeconds,
        long coolDownSeconds,
        boolean enabled,
        int version,
        Instant createdAt,
        Instant updatedAt) {

    static AlertRuleView of(AlertRule rule) {
        AlertRuleSpec spec = rule.spec();
        Backlog backlog = spec.condition() instanceof Backlog one ? one : new Backlog(null, null);
        FailureRatio failures = spec.condition() instanceof FailureRatio one ? one : null;
        return new AlertRuleView(
                Integer.toString(rule.id()),
                spec.name(),
                spec.condition().kind().name(),
                spec.queue(),
                backlog.waiting(),
                seconds(backlog.oldest()),
                failures == null ? null : failures.ratio(),
                failures == null ? null : failures.minEnded(),
                failures == null ? null : seconds(failures.over()),
                spec.holdFor().toSeconds(),
                spec.coolDown().toSeconds(),
                spec.enabled(),
                rule.version(),
                rule.createdAt(),
                rule.updatedAt());
    }

    private static Long seconds(Duration time) {
        return time == null ? null : time.toSeconds();
    }
}
