package io.orth.admin.alarm;

import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Adds undecided failed runs to an alarm of every channel that watches them. */
@Component
final class AlarmMonitor implements Duty {

    private static final int BATCH = 500;

    private final AlarmRepository alarms;
    private final ChannelRepository channels;
    private final Transactions transactions;

    AlarmMonitor(AlarmRepository alarms, ChannelRepository channels, Transactions transactions) {
        this.alarms = alarms;
        this.channels = channels;
        this.transactions = transactions;
    }

    @Override
    public Pass run() {
        transactions.run(() -> alarms.runs().free(BATCH));
        return Pass.after(transactions.call(this::decide), BATCH);
    }

    private int decide() {
        List<FailedRun> failed = alarms.runs().takeFailed(BATCH);
        if (failed.isEmpty()) {
            return 0;
        }
        Map<Integer, List<Long>> byChannel = new TreeMap<>();
        List<Long> untold = new ArrayList<>();
        List<Channel> all = channels.list();
        for (FailedRun run : failed) {
            List<Channel> told =
                    all.stream().filter(channel -> channel.spec().isToldOf(run)).toList();
            told.forEach(channel -> byChannel
                    .computeIfAbsent(channel.id(), id -> new ArrayList<>())
                    .add(run.id()));
            if (told.isEmpty()) {
                untold.add(run.id());
            }
        }
        alarms.runs().notNeeded(untold);
        if (!byChannel.isEmpty()) {
            alarms.lockChannels(byChannel.keySet());
            byChannel.forEach(alarms::collect);
        }
        return failed.size();
    }
}
