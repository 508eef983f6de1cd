package io.orth.admin.api;

import io.orth.admin.alarm.Channel;
import io.orth.admin.alarm.ChannelSpec;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * An alarm channel as the API shows it: never its secret, nor what follows the host of the address it posts to.
 *
 * @param target mail addresses, or the masked address
 * @param secret whether there is one
 * @param watch both lists are empty where it is about everything
 */
record ChannelView(
        String id,
        String name,
        String kind,
        String target,
        boolean secret,
        String template,
        boolean everyFailure,
        long windowSeconds,
        WatchView watch,
        boolean enabled,
        int version,
        Instant createdAt,
        Instant updatedAt) {

    /** Groups and jobs by id. */
    record WatchView(List<String> groupIds, List<String> jobIds) {}

    static ChannelView of(Channel channel) {
        ChannelSpec spec = channel.spec();
        return new ChannelView(
                Integer.toString(channel.id()),
                spec.name(),
                spec.kind().name(),
                spec.shownTarget(),
                spec.secret() != null,
                spec.template(),
                spec.everyFailure(),
                spec.window().toSeconds(),
                new WatchView(texts(spec.watch().groups()), texts(spec.watch().jobs())),
                spec.enabled(),
                channel.version(),
                channel.createdAt(),
                channel.updatedAt());
    }

    private static List<String> texts(Set<Integer> ids) {
        return ids.stream().sorted().map(id -> Integer.toString(id)).toList();
    }
}
