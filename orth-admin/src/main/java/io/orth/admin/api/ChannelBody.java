package io.orth.admin.api;

import io.orth.admin.alarm.ChannelKind;
import io.orth.admin.alarm.ChannelSpec;
import io.orth.admin.kernel.OrthException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an alarm channel is to be.
 *
 * @param kind {@code MAIL}, {@code WEBHOOK}, {@code SLACK}, {@code DINGTALK} or {@code FEISHU}
 * @param target mail addresses, or the address to post to; when changing a channel: as it is, where it is missing
 * @param secret what messages are signed with; when changing a channel: as it is where it is missing, none where it is empty
 * @param template the message; the usual one where it is missing or empty
 * @param everyFailure whether each failure is told, rather than the one after the last retry; false where it is missing
 * @param windowSeconds how long after an alarm failures are collected for the next one; 300 where it is missing
 * @param watch which jobs it is about; everything where it is missing
 * @param enabled true where it is missing
 * @param version when changing a channel: the one that was loaded
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

    /** Groups and jobs by id; {@code everything} is whether there are none where it is missing. */
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

    /** {@code before} is null for a new channel. */
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

    /** What is not shown need not be typed again, as long as it still is the same kind of channel. */
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
