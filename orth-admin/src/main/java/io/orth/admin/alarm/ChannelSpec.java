package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.kernel.PlainText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A channel as users define it.
 *
 * @param target the webhook address, or mail addresses separated by commas
 * @param secret key that signs messages; null for none
 * @param template text of messages, with placeholders; null for the default
 * @param everyFailure whether each failure is reported, and not only the one after the last retry
 * @param window how long failures are collected after an alarm before the next one is sent
 */
public record ChannelSpec(
        String name,
        ChannelKind kind,
        @JsonIgnore String target,
        @JsonIgnore String secret,
        String template,
        boolean everyFailure,
        @JsonIgnore Duration window,
        @JsonIgnore Watch watch,
        boolean enabled) {

    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_SECRET = 500;
    private static final int LONGEST_TEMPLATE = 4_000;
    private static final Duration LONGEST_WINDOW = Duration.ofDays(1);

    /** Jobs that a channel watches: all, or those of some groups plus individual jobs. */
    public record Watch(boolean everything, Set<Integer> groups, Set<Integer> jobs) {

        private static final int MOST = 500;

        public Watch {
            groups = Set.copyOf(groups);
            jobs = Set.copyOf(jobs);
            if (groups.size() + jobs.size() > MOST) {
                throw OrthException.invalid("watch", "must name at most %d groups and jobs".formatted(MOST));
            }
            if (everything && groups.size() + jobs.size() > 0) {
                throw OrthException.invalid("watch", "names groups or jobs although it is about everything");
            }
        }

        boolean covers(int groupId, int jobId) {
            return everything || groups.contains(groupId) || jobs.contains(jobId);
        }
    }

    public ChannelSpec {
        List<FieldError> errors = new ArrayList<>();
        if (name == null || name.isBlank()) {
            errors.add(new FieldError("name", "is missing"));
        } else {
            checkText(errors, "name", name, LONGEST_NAME);
        }
        if (secret != null) {
            checkText(errors, "secret", secret, LONGEST_SECRET);
            if (kind == ChannelKind.MAIL || kind == ChannelKind.SLACK) {
                errors.add(new FieldError("secret", "is only for WEBHOOK, DINGTALK and FEISHU"));
            }
        }
        if (template != null && (template.length() > LONGEST_TEMPLATE || template.indexOf('\0') >= 0)) {
            errors.add(new FieldError("template", "must have at most %d characters".formatted(LONGEST_TEMPLATE)));
        } else if (template != null) {
            AlarmText.checkTemplate(template).ifPresent(errors::add);
        }
        if (window.isNegative() || window.compareTo(LONGEST_WINDOW) > 0) {
            errors.add(
                    new FieldError("windowSeconds", "must be between 0 and %d".formatted(LONGEST_WINDOW.toSeconds())));
        }
        if (!errors.isEmpty()) {
            throw OrthException.invalid(errors);
        }
        name = name.strip();
        target = kind == ChannelKind.MAIL ? MailAddresses.check(target) : WebhookAddress.check(target);
    }

    private static void checkText(List<FieldError> errors, String field, String text, int longest) {
        if (text.isEmpty() || !PlainText.fits(text, longest)) {
            errors.add(
                    new FieldError(field, "must have 1 to %d characters and no control characters".formatted(longest)));
        }
    }

    /** Returns the target without its secret parts. */
    public String shownTarget() {
        return kind == ChannelKind.MAIL ? target : WebhookAddress.masked(target);
    }

    /** Returns whether failures and alerts of this group are reported to the channel. {@code groupId} is null if no group is concerned. */
    boolean isToldOfGroup(Integer groupId) {
        boolean watched = groupId != null && watch.groups().contains(groupId);
        return enabled && (watch.everything() || watched);
    }

    boolean isToldOf(FailedRun run) {
        return enabled
                && !run.needless()
                && watch.covers(run.groupId(), run.jobId())
                && (everyFailure || !run.retried());
    }
}
