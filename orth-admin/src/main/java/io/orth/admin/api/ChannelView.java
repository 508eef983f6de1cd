package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.alarm.Channel;
import io.orth.admin.alarm.ChannelSpec;
import java.util.List;
import java.util.Set;

/**
 * An alarm channel as the API shows it: never its secret, nor what follows the host of the address it posts to.
 *
 * @param target mail addresses, or the masked address
 * @param secret whether there is one
 * @param watch what it is about; nothing, where the groups and jobs it was about are gone
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
