package io.orth.admin.queuealert;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.queuealert.AlertCondition.Backlog;
import io.orth.admin.queuealert.AlertCondition.FailureRatio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule as users define it.
 *
 * @param queue the queue concerned; null for all
 * @param holdFor how long the condition must hold before the rule fires
 * @param coolDown minimum time between two notifications
 */
public record AlertRuleSpec(
        String name, String queue, AlertCondition condition, Duration holdFor, Duration coolDown, boolean enabled) {

    private static final int LONGEST_NAME = 100;
    private static final long MOST_MESSAGES = 1_000_000_000L;
    /** Figures are kept per minute. */
    private static final long MINUTE = Duration.ofMinutes(1).toSeconds();

    private static final long DAY = Duration.ofDays(1).toSeconds();

    public AlertRuleSpec {
        List<FieldError> errors = new ArrayList<>();
        if (name == null || name.isBlank()) {
            errors.add(new FieldError("name", "is missing"));
        } else if (!PlainText.fits(name, LONGEST_NAME)) {
            errors.add(new FieldError(
                    "name", "must have 1 to %d characters and no control characters".formatted(LONGEST_NAME)));
        }
        between(errors, "forSeconds", holdFor.toSeconds(), 0, DAY);
        between(errors, "coolDownSeconds", coolDown.toSeconds(), MINUTE, 7 * DAY);
        if (condition instanceof Backlog backlog) {
            check(errors, backlog);
        } else if (condition instanceof FailureRatio failures) {
            check(errors, failures);
        }
        if (!errors.isEmpty()) {
            throw OrthException.invalid(errors);
        }
        name = name.strip();
    }

    private static void check(List<FieldError> errors, Backlog backlog) {
        if (backlog.waiting() == null && backlog.oldest() == null) {
            errors.add(new FieldError("waiting", "is missing: give it, or oldestSeconds, or both"));
        }
        if (backlog.waiting() != null) {
            between(errors, "waiting", backlog.waiting(), 1, MOST_MESSAGES);
        }
        if (backlog.oldest() != null) {
            between(errors, "oldestSeconds", backlog.oldest().toSeconds(), 1, 30 * DAY);
        }
    }

    private static void check(List<FieldError> errors, FailureRatio failures) {
        if (!(failures.ratio() > 0 && failures.ratio() <= 1)) {
            errors.add(new FieldError("ratio", "must be above 0 and at most 1"));
        }
        between(errors, "minEnded", failures.minEnded(), 1, MOST_MESSAGES);
        between(errors, "overSeconds", failures.over().toSeconds(), MINUTE, DAY);
    }

    private static void between(List<FieldError> errors, String field, long value, long least, long most) {
        if (value < least || value > most) {
            errors.add(new FieldError(field, "must be between %d and %d".formatted(least, most)));
        }
    }
}
