package io.orth.admin.alarm;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Alarms over a test's database, for tests of components that send notifications. */
public final class AlarmFixture {

    public static final int TRIES = 3;

    private static final AlarmProperties PROPERTIES = new AlarmProperties(
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            TRIES,
            new AlarmProperties.Delays(Duration.ofSeconds(10), 2, Duration.ofMinutes(10), 0),
            Duration.ofDays(30),
            List.of(),
            "https://orth.example/",
            new AlarmProperties.Mail("", 587, "", "", "", AlarmProperties.Encryption.NONE));

    public final Alarms alarms;

    private final AlarmSender sender;
    private final JdbcClient jdbc;
    private final List<String> sent = new ArrayList<>();
    private boolean broken;

    public AlarmFixture(AdminFixture admin) {
        jdbc = admin.jdbc;
        AlarmRepository repository = new AlarmRepository(admin.jdbc, admin.changes);
        ChannelRepository channels = new ChannelRepository(admin.jdbc);
        AlarmPost post = new AlarmPost(
                repository,
                new Remembering(),
                new Installation("test", "external", Path.of(".")),
                Clock.systemUTC(),
                PROPERTIES.consoleUrl());
        alarms = new Alarms(channels, repository, post, admin.transactions);
        sender = new AlarmSender(
                repository, channels, post, Runnable::run, admin.transactions, PROPERTIES, admin.systemLog);
    }

    /** A channel that watches these groups, or everything if none are given. */
    public void channel(String name, Integer... groups) {
        channel(name, "{{job}} failed", groups);
    }

    /** @param template null for the default */
    public void channel(String name, String template, Integer... groups) {
        alarms.create(new ChannelSpec(
                name,
                ChannelKind.WEBHOOK,
                "https://example.org/" + name,
                null,
                template,
                false,
                Duration.ofDays(1),
                new ChannelSpec.Watch(groups.length == 0, Set.of(groups), Set.of()),
                true));
    }

    /** Lets the windows of all channels pass. */
    public void endWindows() {
        jdbc.sql("update orth_alarm set send_at = now() - interval '1 second' where status = 'PENDING'")
                .update();
    }

    /** Makes every further delivery fail. */
    public void breakChannels() {
        broken = true;
    }

    /** Sends the due alarms; returns those sent by this call, as {@code channel: text}. */
    public List<String> send() {
        sent.clear();
        sender.run();
        return List.copyOf(sent);
    }

    private final class Remembering implements AlarmTransport {

        @Override
        public void send(ChannelSpec channel, AlarmMessage message) throws IOException {
            if (broken) {
                throw new IOException("broken");
            }
            sent.add(channel.name() + ": " + AlarmText.of(message, channel.template()));
        }
    }
}
