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

    private final AlarmSubjects subjects;
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
        this.subjects = alarms.subjects();
        transports.forEach(transport -> transport.kinds().forEach(kind -> this.transports.put(kind, transport)));
        this.installation = installation;
        this.clock = clock;
        this.console = consoleUrl.endsWith("/") ? consoleUrl.substring(0, consoleUrl.length() - 1) : consoleUrl;
    }

    void send(ChannelSpec channel, long alarm) throws IOException, InterruptedException {
        deliver(
                channel,
                new AlarmMessage(
                        alarm,
                        channel.name(),
                        installation.environment(),
                        subjects.count(alarm),
                        subjects.runs(alarm, NAMED_AT_MOST),
                        subjects.pipelineRuns(alarm, NAMED_AT_MOST),
                        subjects.notices(alarm, NAMED_AT_MOST),
                        console));
    }

    /** An alarm about a run that does not exist. */
    void sendTest(ChannelSpec channel) throws IOException, InterruptedException {
        Told run = new Told(
                0, 0, "Test of this channel", "", "FAILED", 200, 500, 1, "No run has failed.", clock.instant());
        deliver(channel, AlarmMessage.ofRuns(0, channel.name(), installation.environment(), 1, List.of(run)));
    }

    private void deliver(ChannelSpec channel, AlarmMessage message) throws IOException, InterruptedException {
        transports.get(channel.kind()).send(channel, message);
    }
}
