package io.orth.admin.alarm;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

/** Alarm channels and the alarms sent to them. */
@Component
public final class Alarms {

    private static final int MOST_CHANNELS = 200;

    private final ChannelRepository channels;
    private final AlarmRepository alarms;
    private final AlarmPost post;
    private final Transactions transactions;

    Alarms(ChannelRepository channels, AlarmRepository alarms, AlarmPost post, Transactions transactions) {
        this.channels = channels;
        this.alarms = alarms;
        this.post = post;
        this.transactions = transactions;
    }

    public List<Channel> channels() {
        return channels.list();
    }

    public Channel channel(int id) {
        return channels.find(id).orElseThrow(() -> OrthException.notFound("alarm channel", id));
    }

    public Channel create(ChannelSpec spec) {
        return transactions.call(() -> {
            if (channels.count() >= MOST_CHANNELS) {
                throw OrthException.of(
                        ErrorCode.CONFLICT,
                        "there are %d channels already, as many as there may be".formatted(MOST_CHANNELS));
            }
            return channel(saving(spec, () -> channels.insert(spec)));
        });
    }

    /** Updates a channel. Fails if the channel no longer has {@code version}, the version that the editor saw. */
    public Channel update(int id, int version, ChannelSpec spec) {
        return transactions.call(() -> {
            channel(id);
            if (!saving(spec, () -> channels.update(id, version, spec))) {
                throw OrthException.of(
                        ErrorCode.CONFLICT,
                        "alarm channel %d was changed by someone else meanwhile; load it again".formatted(id));
            }
            return channel(id);
        });
    }

    /** Deletes a channel. Its pending alarms are not sent. */
    public void delete(int id) {
        if (!transactions.call(() -> channels.delete(id))) {
            throw OrthException.notFound("alarm channel", id);
        }
    }

    /** Sends a test message. Returns the error, if any. */
    public Optional<String> test(int id) throws InterruptedException {
        Channel channel = channel(id);
        try {
            post.sendTest(channel.spec());
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    /**
     * Notifies every channel that watches everything or the group that works on the queue. Each channel gets one message. Joins the
     * caller's transaction: channels are notified only if it commits.
     */
    public void tell(List<AlarmNotice> notices) {
        if (notices.isEmpty()) {
            return;
        }
        Map<Integer, List<AlarmNotice>> byChannel = new TreeMap<>();
        for (Channel channel : channels.list()) {
            List<AlarmNotice> told = notices.stream()
                    .filter(notice -> channel.spec().isToldOfGroup(notice.groupId()))
                    .toList();
            if (!told.isEmpty()) {
                byChannel.put(channel.id(), told);
            }
        }
        alarms.lockChannels(byChannel.keySet()).forEach(channel -> alarms.open(channel, byChannel.get(channel)));
    }

    /**
     * Notifies every channel that watches everything or the group that works on the failed stage. Like failed runs of jobs, these failures
     * are collected during the window of a channel. Joins the caller's transaction: channels are notified only if it commits.
     */
    public void tell(FailedPipelineRun run) {
        List<Integer> told = channels.list().stream()
                .filter(channel -> channel.spec().isToldOfGroup(run.groupId()))
                .map(Channel::id)
                .toList();
        alarms.lockChannels(told).forEach(channel -> alarms.collect(channel, run));
    }

    /** Returns alarms with ids below {@code before}, newest first. */
    public List<Alarm> list(long before, int limit) {
        return alarms.list(before, limit);
    }

    private static <T> T saving(ChannelSpec spec, Supplier<T> statement) {
        try {
            return statement.get();
        } catch (DuplicateKeyException e) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "there is an alarm channel named '%s' already".formatted(spec.name()));
        } catch (DataIntegrityViolationException e) {
            throw OrthException.invalid("watch", "names a group or a job that does not exist");
        }
    }
}
