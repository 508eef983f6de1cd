package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.Installation;
import java.io.IOException;
import java.time.Clock;
import java.util.List;

/** Builds messages and passes them to the transport of their channel. Never called in a transaction. */
final class AlarmPost {

    private static final int NAMED_AT_MOST = 20;

    private final AlarmSubjects subjects;
    private final AlarmTransport transport;
    private final Installation installation;
    private final Clock clock;
    private final String console;

    AlarmPost(
            AlarmRepository alarms,
            AlarmTransport transport,
            Installation installation,
            Clock clock,
            String consoleUrl) {
        this.subjects = alarms.subjects();
        this.transport = transport;
        this.installation = installation;
        this.clock = clock;
        this.console = consoleUrl.endsWith("/") ? consoleUrl.substring(0, consoleUrl.length() - 1) : consoleUrl;
    }

    void send(ChannelSpec channel, long alarm) throws IOException, InterruptedException {
        transport.send(
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

    /** Sends an alarm about a run that does not exist. */
    void sendTest(ChannelSpec channel) throws IOException, InterruptedException {
        Told run = new Told(
                0, 0, "Test of this channel", "", "FAILED", 200, 500, 1, "No run has failed.", clock.instant());
        transport.send(channel, AlarmMessage.ofRuns(0, channel.name(), installation.environment(), 1, List.of(run)));
    }
}
