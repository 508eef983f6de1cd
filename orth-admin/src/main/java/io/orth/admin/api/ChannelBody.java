package io.orth.admin.api;

import io.orth.admin.alarm.ChannelKind;
import io.orth.admin.alarm.ChannelSpec;
import io.orth.admin.kernel.OrthException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Alarm channel in a request.
 *
 * @param kind {@code MAIL}, {@code WEBHOOK}, {@code SLACK}, {@code DINGTALK} or {@code FEISHU}
 * @param target mail addresses or webhook address; unchanged in an update if missing
 * @param secret key that signs messages; unchanged in an update if missing, none if empty
 * @param template text of messages; the default if missing or empty
 * @param everyFailure whether each failure is reported instead of only the one after the last retry; false if missing
 * @param windowSeconds how long after an alarm failures are collected for the next one; 300 if missing
 * @param watch jobs and groups to watch; everything if missing
 * @param enabled true if missing
 * @param version in an update: version that the caller has loaded
 */
record ChannelBody(
        String name,
        ChannelKind kind,
        String target,
        String secret,
        String template,
        Boolean everyFailure,
        Integer windowSeconds,
        WatchBody watch,
        Boolean enabled,
        Integer version) {

    private static final int USUAL_WINDOW = 300;

    /** Watched groups and jobs by id. If {@code everything} is missing, it is true if no group or job is named. */
    record WatchBody(Boolean everything, List<String> groupIds, List<String> jobIds) {

        ChannelSpec.Watch toWatch() {
            Set<Integer> groups = ids("watch.groupIds", groupIds);
            Set<Integer> jobs = ids("watch.jobIds", jobIds);
            boolean none = groups.isEmpty() && jobs.isEmpty();
            if (none && Boolean.FALSE.equals(everything)) {
                throw OrthException.invalid("watch", "must name a group or a job, or be about everything");
            }
            return new ChannelSpec.Watch(everything == null ? none : everything, groups, jobs);
        }

        private static Set<Integer> ids(String field, List<String> texts) {
            if (texts == null) {
                return Set.of();
            }
            if (texts.contains(null)) {
                throw OrthException.invalid(field, "must not contain null");
            }
            return texts.stream().map(text -> Ids.parseInt(field, text)).collect(Collectors.toSet());
        }
    }

    /** @param before null for a new channel */
    ChannelSpec toSpec(ChannelSpec before) {
        return new ChannelSpec(
                name,
                ProblemField.required("kind", kind),
                kept(target, before) ? before.target() : target,
                keptSecret(before),
                template == null || template.isBlank() ? null : template,
                everyFailure != null && everyFailure,
                Duration.ofSeconds(windowSeconds == null ? USUAL_WINDOW : windowSeconds),
                watch == null ? new ChannelSpec.Watch(true, Set.of(), Set.of()) : watch.toWatch(),
                enabled == null || enabled);
    }

    /** Returns whether a value is kept: values that are not shown need not be sent again, unless the kind of the channel changes. */
    private boolean kept(String text, ChannelSpec before) {
        return text == null && before != null && before.kind() == kind;
    }

    private String keptSecret(ChannelSpec before) {
        if (kept(secret, before)) {
            return before.secret();
        }
        return secret == null || secret.isEmpty() ? null : secret;
    }
}
