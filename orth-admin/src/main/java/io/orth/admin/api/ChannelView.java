package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.alarm.Channel;
import io.orth.admin.alarm.ChannelSpec;
import java.util.List;
import java.util.Set;

/**
 * Alarm channel in a response, without its secret and without the webhook address after the host.
 *
 * @param target mail addresses, or the masked webhook address
 * @param secret whether a secret is set
 * @param watch watched jobs and groups; empty if all of them have been deleted
 */
record ChannelView(@JsonUnwrapped Channel channel, String target, boolean secret, long windowSeconds, WatchView watch) {

    /** Everything, or groups and jobs by id. */
    record WatchView(boolean everything, List<String> groupIds, List<String> jobIds) {}

    static ChannelView of(Channel channel) {
        ChannelSpec spec = channel.spec();
        return new ChannelView(
                channel,
                spec.shownTarget(),
                spec.secret() != null,
                spec.window().toSeconds(),
                new WatchView(
                        spec.watch().everything(),
                        texts(spec.watch().groups()),
                        texts(spec.watch().jobs())));
    }

    private static List<String> texts(Set<Integer> ids) {
        return ids.stream().sorted().map(id -> Integer.toString(id)).toList();
    }
}
