package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.queuealert.AlertCondition;
import io.orth.admin.queuealert.AlertCondition.Backlog;
import io.orth.admin.queuealert.AlertCondition.FailureRatio;
import io.orth.admin.queuealert.AlertCondition.NoWorkers;
import io.orth.admin.queuealert.AlertKind;
import io.orth.admin.queuealert.AlertRule;
import io.orth.admin.queuealert.AlertRuleSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Alert rule in a request. Missing fields have the default of the rule's kind.
 *
 * @param queue queue to watch; all queues if missing
 * @param waiting for BACKLOG: number of waiting messages
 * @param oldestSeconds for BACKLOG: how long the oldest waiting message has been due
 * @param ratio for FAILURE_RATIO: share of the finished attempts that failed; 0.5 if missing
 * @param minEnded for FAILURE_RATIO: number of finished attempts below which the rule is not evaluated; 50 if missing
 * @param overSeconds for FAILURE_RATIO: length of the evaluated period; 300 if missing
 * @param forSeconds how long the condition must hold before the rule fires
 * @param coolDownSeconds how long after a notification no further one is sent
 * @param version version that the caller has loaded, to detect concurrent changes
 */
record AlertRuleBody(
        String name,
        AlertKind kind,
        String queue,
        Long waiting,
        Long oldestSeconds,
        Double ratio,
        Long minEnded,
        Long overSeconds,
        Long forSeconds,
        Long coolDownSeconds,
        Boolean enabled,
        Integer version) {

    private static final double USUAL_RATIO = 0.5;
    private static final long USUAL_ENDED = 50;

    static AlertRuleBody of(AlertRule rule) {
        AlertRuleSpec spec = rule.spec();
        Backlog backlog = spec.condition() instanceof Backlog one ? one : new Backlog(null, null);
        FailureRatio failures = spec.condition() instanceof FailureRatio one ? one : null;
        return new AlertRuleBody(
                spec.name(),
                spec.condition().kind(),
                spec.queue(),
                backlog.waiting(),
                backlog.oldest() == null ? null : backlog.oldest().toSeconds(),
                failures == null ? null : failures.ratio(),
                failures == null ? null : failures.minEnded(),
                failures == null ? null : failures.over().toSeconds(),
                spec.holdFor().toSeconds(),
                spec.coolDown().toSeconds(),
                spec.enabled(),
                rule.version());
    }

    AlertRuleSpec toSpec() {
        if (kind == null) {
            throw OrthException.invalid("kind", "is missing");
        }
        refuseOthers();
        return new AlertRuleSpec(
                name,
                queue == null || queue.isBlank() ? null : queue.strip(),
                condition(),
                seconds(forSeconds, kind.usualFor()),
                seconds(coolDownSeconds, kind.usualCoolDown()),
                enabled == null || enabled);
    }

    private AlertCondition condition() {
        return switch (kind) {
            case BACKLOG -> new Backlog(waiting, oldestSeconds == null ? null : Duration.ofSeconds(oldestSeconds));
            case FAILURE_RATIO ->
                new FailureRatio(
                        Objects.requireNonNullElse(ratio, USUAL_RATIO),
                        Objects.requireNonNullElse(minEnded, USUAL_ENDED),
                        seconds(overSeconds, AlertCondition.USUAL_TIME));
            case NO_WORKERS -> new NoWorkers();
        };
    }

    private static Duration seconds(Long given, Duration usual) {
        return given == null ? usual : Duration.ofSeconds(given);
    }

    /** Rejects fields of other kinds of rules: the caller probably meant another kind. */
    private void refuseOthers() {
        List<FieldError> errors = new ArrayList<>();
        refuse(errors, "waiting", waiting, AlertKind.BACKLOG);
        refuse(errors, "oldestSeconds", oldestSeconds, AlertKind.BACKLOG);
        refuse(errors, "ratio", ratio, AlertKind.FAILURE_RATIO);
        refuse(errors, "minEnded", minEnded, AlertKind.FAILURE_RATIO);
        refuse(errors, "overSeconds", overSeconds, AlertKind.FAILURE_RATIO);
        if (!errors.isEmpty()) {
            throw OrthException.invalid(errors);
        }
    }

    private void refuse(List<FieldError> errors, String field, Object value, AlertKind only) {
        if (value != null && only != kind) {
            errors.add(new FieldError(field, "is only for " + only));
        }
    }
}
