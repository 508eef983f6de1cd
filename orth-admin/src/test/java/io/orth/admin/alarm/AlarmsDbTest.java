package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.alarm.ChannelSpec.Watch;
import io.orth.admin.completion.CompletionFixture;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.CallbackItem;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AlarmsDbTest {

    private static final Watch EVERYTHING = new Watch(true, Set.of(), Set.of());
    private static final AlarmProperties PROPERTIES = new AlarmProperties(
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            3,
            new AlarmProperties.Delays(Duration.ofSeconds(10), 2, Duration.ofMinutes(10), 0),
            Duration.ofDays(30),
            List.of(),
            "https://orth.example/",
            new AlarmProperties.Mail("", 587, "", "", "", AlarmProperties.Encryption.NONE));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final RecordingTransport transport = new RecordingTransport();
    private AdminFixture admin;
    private ExecutorGroup group;
    private Runs runs;
    private Alarms alarms;
    private AlarmMonitor monitor;
    private AlarmSender sender;
    private int planned;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        runs = new Runs(
                admin.jdbc, new CompletionFixture(admin, Clock.systemUTC()).changes, admin.runIds, admin.transactions);
        AlarmRepository repository = new AlarmRepository(admin.jdbc, admin.changes);
        ChannelRepository channels = new ChannelRepository(admin.jdbc);
        AlarmPost post = new AlarmPost(
                repository,
                transport,
                new Installation("test", "external", Path.of(".")),
                Clock.systemUTC(),
                PROPERTIES.consoleUrl());
        alarms = new Alarms(channels, repository, post, admin.transactions);
        monitor = new AlarmMonitor(repository, channels, admin.transactions);
        sender = new AlarmSender(
                repository, channels, post, Runnable::run, admin.transactions, PROPERTIES, admin.systemLog);
    }

    @Test
    void notifiesWatchingChannelOfFailedRunOnce() {
        alarms.create(spec("ops", EVERYTHING));
        Run failed = fail(job("nightly", 0));

        pass();
        pass();

        assertThat(statusOf(failed)).isEqualTo(2);
        assertThat(transport.sent).singleElement().satisfies(message -> {
            assertThat(message.count()).isEqualTo(1);
            assertThat(message.environment()).isEqualTo("test");
            assertThat(message.runs()).singleElement().satisfies(run -> {
                assertThat(run.job()).isEqualTo("nightly");
                assertThat(run.status()).isEqualTo("TRIGGER_FAILED");
                assertThat(run.message()).isEqualTo("nobody there");
                assertThat(message.urlOf(run)).isEqualTo("https://orth.example/runs/" + failed.id());
            });
        });
        assertThat(alarms.list(Long.MAX_VALUE, 10)).singleElement().satisfies(alarm -> {
            assertThat(alarm.status()).isEqualTo(AlarmStatus.SENT);
            assertThat(alarm.runs()).isEqualTo(1);
            assertThat(alarm.firstRun()).isEqualTo(failed.id());
        });
    }

    @Test
    void raisesNoAlarmForUnwatchedDeletedOrKilled() {
        ExecutorGroup other = admin.group("other");
        alarms.create(spec("other", new Watch(false, Set.of(other.id()), Set.of())));
        Run unwatched = fail(job("unwatched", 0));
        Job gone = admin.jobs.create(jobSpec("gone", other.id(), 0), true);
        Run ofGone = fail(gone);
        admin.jobs.delete(gone.id());
        Run killed = unsent(admin.jobs.create(jobSpec("killed", other.id(), 0), true));
        RunKills kills = new RunKills(admin.jdbc, admin.changes, admin.transactions);
        kills.request(List.of(killed.id()), "someone", "", Duration.ofSeconds(5));
        kills.endUnsent(List.of(killed.id()));

        pass();

        assertThat(List.of(statusOf(unwatched), statusOf(ofGone), statusOf(killed)))
                .containsOnly(1);
        assertThat(transport.sent).isEmpty();
    }

    @Test
    @Tag("must-first")
    void skippedRunsRaiseNoAlarm() {
        alarms.create(spec("ops", EVERYTHING));
        Run skipped = unsent(job("busy", 0));
        assertThat(runs.skip(List.of(Refusal.of(skipped, "the job was busy")))).hasSize(1);

        pass();

        assertThat(alarms.list(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(transport.sent).isEmpty();
        assertThat(statusOf(skipped)).isZero();
    }

    @Test
    @Tag("must-first")
    void leavesUnfinishedAndSuccessfulRunsUndecided() {
        alarms.create(spec("ops", EVERYTHING));
        Run waiting = unsent(job("waiting", 0));
        Target executor = admin.executor(group, "i1", "http://127.0.0.1:9999/");
        Run succeeded = admin.pendingRun(group, executor);
        admin.callbacks.take(group.id(), List.of(new CallbackItem(succeeded.id(), 0, 200, "", executor.instanceId())));

        pass();

        assertThat(statusOf(waiting)).isZero();
        assertThat(statusOf(succeeded)).isZero();
        assertThat(transport.sent).isEmpty();
    }

    @Test
    void channelWatchesGroupsAndJobs() {
        ExecutorGroup other = admin.group("other");
        Job watched = admin.jobs.create(jobSpec("watched", other.id(), 0), true);
        alarms.create(spec("ops", new Watch(false, Set.of(group.id()), Set.of(watched.id()))));

        Run ofGroup = fail(job("of-group", 0));
        Run ofJob = fail(watched);
        Run ofNeither = fail(admin.jobs.create(jobSpec("neither", other.id(), 0), true));
        pass();

        assertThat(List.of(statusOf(ofGroup), statusOf(ofJob), statusOf(ofNeither)))
                .containsExactly(2, 2, 1);
    }

    @Test
    void notifiesOnlyOfLastAttemptByDefault() {
        alarms.create(spec("last", EVERYTHING));
        Run first = fail(job("job", 1));

        pass();
        assertThat(statusOf(first)).isEqualTo(1);
        assertThat(transport.sent).isEmpty();
        Run retry = runs.attemptsOf(first.id()).get(1);
        refuse(retry);
        pass();

        assertThat(statusOf(retry)).isEqualTo(2);
        assertThat(transport.sent).hasSize(1);
    }

    @Test
    void notifiesOfEveryFailureIfConfigured() {
        ChannelSpec every = new ChannelSpec(
                "every", ChannelKind.SLACK, "https://example.org/x", null, null, true, Duration.ZERO, EVERYTHING, true);
        alarms.create(every);
        Run first = fail(job("job", 1));
        pass();
        refuse(runs.attemptsOf(first.id()).get(1));
        pass();

        assertThat(transport.sent).hasSize(2);
    }

    @Test
    @Tag("must-runs")
    void collectsStormIntoTwoAlarms() {
        alarms.create(spec("ops", EVERYTHING));
        Job job = job("job", 0);
        List<Run> first = List.of(fail(job), fail(job));
        pass();
        List<Run> storm = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            storm.add(fail(job));
            pass();
        }

        assertThat(transport.sent).hasSize(1);
        assertThat(storm).allSatisfy(run -> assertThat(statusOf(run)).isEqualTo(-1));
        endWindow();
        pass();

        assertThat(transport.sent).hasSize(2);
        assertThat(transport.sent.get(1).count()).isEqualTo(30);
        assertThat(transport.sent.get(1).runs()).hasSize(20);
        assertThat(first).allSatisfy(run -> assertThat(statusOf(run)).isEqualTo(2));
        assertThat(storm).allSatisfy(run -> assertThat(statusOf(run)).isEqualTo(2));
    }

    @Test
    void retriesFailedDeliveryUntilLastAttempt() {
        alarms.create(spec("ops", EVERYTHING));
        Run failed = fail(job("job", 0));
        transport.failNext(3);

        pass();
        assertThat(statusOf(failed)).isEqualTo(-1);
        assertThat(only().error()).isEqualTo("no luck");
        pass();
        assertThat(only().tries()).isEqualTo(1);
        endWindow();
        pass();
        assertThat(statusOf(failed)).isEqualTo(-1);
        endWindow();
        pass();

        assertThat(statusOf(failed)).isEqualTo(3);
        assertThat(only().status()).isEqualTo(AlarmStatus.FAILED);
        assertThat(only().tries()).isEqualTo(3);
        assertThat(admin.systemLog.lines())
                .containsExactly("ERROR alarm %d could not be sent to ops in 3 tries and is given up: no luck"
                        .formatted(only().id()));
    }

    /** For example a message that cannot be built, which an immediate retry would not fix. */
    @Test
    @Tag("must-kernel")
    void backsOffAfterUnexpectedFailureAndGivesUp() {
        alarms.create(spec("ops", EVERYTHING));
        fail(job("job", 0));
        transport.breakNext(3);

        pass();
        assertThat(only().error()).isEqualTo("broken");
        pass();
        assertThat(only().tries()).as("its delay has not passed").isEqualTo(1);
        endWindow();
        pass();
        endWindow();
        pass();

        assertThat(only().status()).isEqualTo(AlarmStatus.FAILED);
        assertThat(only().tries()).isEqualTo(3);
    }

    @Test
    void marksAlarmSentAfterRetry() {
        alarms.create(spec("ops", EVERYTHING));
        Run failed = fail(job("job", 0));
        transport.failNext(1);
        pass();

        endWindow();
        pass();

        assertThat(statusOf(failed)).isEqualTo(2);
        assertThat(only().error()).isNull();
    }

    @Test
    void sendsAlarmOfDeadSenderAfterItsLease() {
        alarms.create(spec("ops", EVERYTHING));
        Run failed = fail(job("job", 0));
        monitor.run();
        transport.dieNext();
        assertThatThrownBy(sender::run).isInstanceOf(InternalError.class);
        assertThat(statusOf(failed)).isEqualTo(-1);
        sender.run();
        assertThat(transport.sent).isEmpty();

        admin.jdbc
                .sql("update orth_alarm set lease_until = now() - interval '1 second'")
                .update();
        sender.run();

        assertThat(statusOf(failed)).isEqualTo(2);
        assertThat(transport.sent).hasSize(1);
    }

    @Test
    void freesRunsOfDeletedChannel() {
        Channel channel = alarms.create(spec("ops", EVERYTHING));
        Run failed = fail(job("job", 0));
        monitor.run();
        assertThat(statusOf(failed)).isEqualTo(-1);
        alarms.delete(channel.id());

        pass();

        assertThat(statusOf(failed)).isEqualTo(1);
    }

    @Test
    void oneSuccessfulChannelSuffices() {
        alarms.create(spec("good", EVERYTHING));
        alarms.create(spec("bad", EVERYTHING));
        transport.refuse("bad");
        Run failed = fail(job("job", 0));

        for (int i = 0; i < 4; i++) {
            pass();
            endWindow();
        }

        assertThat(statusOf(failed)).isEqualTo(2);
        assertThat(alarms.list(Long.MAX_VALUE, 10))
                .extracting(alarm -> alarm.channelName() + " " + alarm.status())
                .containsExactlyInAnyOrder("good SENT", "bad FAILED");
    }

    @Test
    void twoNodesCollectEachRunOnce() throws Exception {
        alarms.create(spec("ops", EVERYTHING));
        Job job = job("job", 0);
        for (int i = 0; i < 40; i++) {
            fail(job);
        }
        List<Thread> nodes = List.of(new Thread(monitor::run), new Thread(monitor::run));

        nodes.forEach(Thread::start);
        for (Thread node : nodes) {
            node.join(30_000);
        }
        pass();
        endWindow();
        pass();

        assertThat(transport.sent.stream().mapToLong(AlarmMessage::count).sum()).isEqualTo(40);
    }

    @Test
    void deletesOldAlarmsAfterRetention() {
        alarms.create(spec("ops", EVERYTHING));
        fail(job("job", 0));
        assertThat(monitor.run()).isEqualTo(Pass.DRAINED);
        sender.run();
        AlarmRepository repository = new AlarmRepository(admin.jdbc, admin.changes);
        Instant longAgo = Instant.now().minus(Duration.ofDays(30));
        assertThat(repository.prune(longAgo, 1)).isZero();
        assertThat(alarms.list(Long.MAX_VALUE, 10)).hasSize(1);

        admin.jdbc
                .sql("update orth_alarm set ended_at = now() - interval '31 days'")
                .update();
        assertThat(repository.prune(longAgo, 1)).isEqualTo(1);

        assertThat(alarms.list(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void testAlarmReturnsError() throws Exception {
        Channel channel = alarms.create(spec("ops", EVERYTHING));
        transport.failNext(1);

        assertThat(alarms.test(channel.id())).contains("no luck");
        assertThat(alarms.test(channel.id())).isEmpty();

        assertThat(transport.sent)
                .singleElement()
                .satisfies(message -> assertThat(message.alarmId()).isZero());
    }

    private void pass() {
        monitor.run();
        sender.run();
    }

    private void endWindow() {
        admin.jdbc
                .sql("update orth_alarm set send_at = now() - interval '1 second' where status = 'PENDING'")
                .update();
    }

    private Alarm only() {
        return alarms.list(Long.MAX_VALUE, 10).get(0);
    }

    private static ChannelSpec spec(String name, Watch watch) {
        return new ChannelSpec(
                name,
                ChannelKind.SLACK,
                "https://example.org/hook",
                null,
                null,
                false,
                Duration.ofMinutes(5),
                watch,
                true);
    }

    private JobSpec jobSpec(String name, int groupId, int retries) {
        JobSpec spec = JobSpecs.of(name, groupId, "handler", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE);
        return spec.followedBy(new AfterRun(
                new RetryPolicy(retries + 1, Backoff.doubling(Duration.ZERO, Duration.ofHours(1))), List.of()));
    }

    private Job job(String name, int retries) {
        return admin.jobs.create(jobSpec(name, group.id(), retries), true);
    }

    private Run unsent(Job job) {
        planned++;
        return runs.create(
                        List.of(NewRun.of(job, "", TriggerType.MANUAL, null, "trace-" + planned)), AdminFixture.CLAIM)
                .get(0);
    }

    private Run fail(Job job) {
        Run run = unsent(job);
        refuse(run);
        return run;
    }

    private void refuse(Run run) {
        assertThat(runs.refuse(List.of(Refusal.of(run, "nobody there")))).hasSize(1);
    }

    private int statusOf(Run run) {
        return runs.get(run.id()).alarm().code();
    }

    /** Records the messages, or fails as configured. */
    private static final class RecordingTransport implements AlarmTransport {

        final List<AlarmMessage> sent = new ArrayList<>();
        private int failures;
        private int breaks;
        private boolean dying;
        private String refused = "";

        void failNext(int times) {
            failures = times;
        }

        void breakNext(int times) {
            breaks = times;
        }

        void dieNext() {
            dying = true;
        }

        void refuse(String channel) {
            refused = channel;
        }

        @Override
        public void send(ChannelSpec channel, AlarmMessage message) throws IOException {
            if (dying) {
                dying = false;
                throw new InternalError("died");
            }
            if (breaks > 0) {
                breaks--;
                throw new IllegalStateException("broken");
            }
            if (failures > 0 || channel.name().equals(refused)) {
                failures--;
                throw new IOException("no luck");
            }
            sent.add(message);
        }
    }
}
