package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.Installation;
import java.io.IOException;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Puts messages together and hands them to the transport of their channel. Never in a transaction. */
final class AlarmPost {

    private static final int NAMED_AT_MOST = 20;

    private final AlarmRepository alarms;
    private final Map<ChannelKind, AlarmTransport> transports = new EnumMap<>(ChannelKind.class);
    private final Installation installation;
    private final Clock clock;
    private final String console;

    AlarmPost(
            AlarmRepository alarms,
            List<AlarmTransport> transports,
            Installation installation,
            Clock clock,
            String consoleUrl) {
        this.alarms = alarms;
        transports.forEach(transport -> transport.kinds().forEach(kind -> this.transports.put(kind, transport)));
        this.installation = installation;
        this.clock = clock;
        this.console = consoleUrl.endsWith("/") ? consoleUrl.substring(0, consoleUrl.length() - 1) : consoleUrl;
    }

    void send(ChannelSpec channel, long alarm) throws IOException, InterruptedException {
        List<AlarmNotice> notices = alarms.subjects().notices(alarm, NAMED_AT_MOST);
        deliver(channel, notices.isEmpty() ? ofRuns(channel, alarm) : ofNotices(channel, alarm, notices));
    }

    private AlarmMessage ofRuns(ChannelSpec channel, long alarm) {
        return new AlarmMessage(
                alarm,
                channel.name(),
                installation.environment(),
                alarms.countRuns(alarm) + alarms.subjects().countPipelineRuns(alarm),
                alarms.told(alarm, NAMED_AT_MOST, console),
                alarms.subjects().pipelineRuns(alarm, NAMED_AT_MOST),
                List.of(),
                console);
    }

    private AlarmMessage ofNotices(ChannelSpec channel, long alarm, List<AlarmNotice> notices) {
        return new AlarmMessage(
                alarm,
                channel.name(),
                installation.environment(),
                alarms.subjects().countNotices(alarm),
                List.of(),
                List.of(),
                notices,
                console);
    }

    /** As an alarm looks like, about a run that there is not. */
    void sendTest(ChannelSpec channel) throws IOException, InterruptedException {
        Told run = new Told(
                0, 0, "Test of this channel", "", "FAILED", 200, 500, 1, "No run has failed.", clock.instant(), null);
        deliver(channel, AlarmMessage.ofRuns(0, channel.name(), installation.environment(), 1, List.of(run)));
    }

    private void deliver(ChannelSpec channel, AlarmMessage message) throws IOException, InterruptedException {
        transports.get(channel.kind()).send(channel, message);
    }
}
