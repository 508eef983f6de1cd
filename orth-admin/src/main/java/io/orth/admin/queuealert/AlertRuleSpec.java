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
 * What a user says about a rule.
 *
 * @param queue which queue it is about; null for all
 * @param holdFor for how long the condition must hold before it fires
 * @param coolDown for how long after people were told they are not told again
 */
public record AlertRuleSpec(
        String name, String queue, AlertCondition condition, Duration holdFor, Duration coolDown, boolean enabled) {

    private static final int LONGEST_NAME = 100;
    private static final long MOST_MESSAGES = 1_000_000_000L;
    private static final Duration SHORTEST_COOL_DOWN = Duration.ofMinutes(1);
    private static final Duration LONGEST_COOL_DOWN = Duration.ofDays(7);
    private static final Duration LONGEST_FOR = Duration.ofDays(1);
    private static final Duration LONGEST_OLDEST = Duration.ofDays(30);

    /** What happened is known by the minute. */
    private static final Duration SHORTEST_OVER = Duration.ofMinutes(1);

    private static final Duration LONGEST_OVER = Duration.ofDays(1);

    public AlertRuleSpec {
        List<FieldError> errors = new ArrayList<>();
        if (name == null || name.isBlank()) {
            errors.add(new FieldError("name", "is missing"));
        } else if (!PlainText.fits(name, LONGEST_NAME)) {
            errors.add(new FieldError(
                    "name", "must have 1 to %d characters and no control characters".formatted(LONGEST_NAME)));
        }
        between(errors, "forSeconds", holdFor, Duration.ZERO, LONGEST_FOR);
        between(errors, "coolDownSeconds", coolDown, SHORTEST_COOL_DOWN, LONGEST_COOL_DOWN);
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
            between(errors, "waiting", backlog.waiting());
        }
        if (backlog.oldest() != null) {
            between(errors, "oldestSeconds", backlog.oldest(), Duration.ofSeconds(1), LONGEST_OLDEST);
        }
    }

    private static void check(List<FieldError> errors, FailureRatio failures) {
        if (!(failures.ratio() > 0 && failures.ratio() <= 1)) {
            errors.add(new FieldError("ratio", "must be above 0 and at most 1"));
        }
        between(errors, "minEnded", failures.minEnded());
        between(errors, "overSeconds", failures.over(), SHORTEST_OVER, LONGEST_OVER);
    }

    private static void between(List<FieldError> errors, String field, long messages) {
        if (messages < 1 || messages > MOST_MESSAGES) {
            errors.add(new FieldError(field, "must be between 1 and %d".formatted(MOST_MESSAGES)));
        }
    }

    private static void between(
            List<FieldError> errors, String field, Duration time, Duration shortest, Duration longest) {
        if (time.compareTo(shortest) < 0 || time.compareTo(longest) > 0) {
            errors.add(new FieldError(
                    field, "must be between %d and %d".formatted(shortest.toSeconds(), longest.toSeconds())));
        }
    }
}
