package io.orth.admin.queuealert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.alarm.AlarmFixture;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Node;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.queuealert.AlertCondition.Backlog;
import io.orth.admin.queuealert.AlertCondition.FailureRatio;
import io.orth.admin.queuealert.AlertCondition.NoWorkers;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-queues")
class AlertMonitorDbTest {

    private static final String QUEUE = "emails";
    private static final Duration COOL_DOWN = Duration.ofMinutes(30);
    private static final AlertCondition THREE = new Backlog(3L, null);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    @RegisterExtension
    static final TestDatabase fresh = new TestDatabase();

    private final ManualClock clock =
            ManualClock.at(Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(10));
    private AdminFixture admin;
    private QueueFixture queues;
    private AlarmFixture told;
    private QueueAlerts alerts;
    private ExecutorGroup group;
    private long executor;
    private AlertMonitor monitor;
    private long term;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        queues = admin.queues;
        told = new AlarmFixture(admin);
        alerts = new QueueAlerts(admin.jdbc, queues.queues, admin.transactions, clock);
        group = admin.group("group");
        executor = admin.executor(group, "instance", "http://127.0.0.1:9999").executorId();
        monitor = started("one");
        told.channel("ops");
    }

    /** The monitor of an admin with this name, which holds the lease. */
    private AlertMonitor started(String node) {
        admin.jdbc.sql("update orth_lease set expires_at = '-infinity'").update();
        ClusterLease lease =
                new ClusterLease(admin.jdbc, "queue-alerts", new Node(node, node, 1, "test"), Duration.ofMinutes(5));
        term = lease.hold().orElseThrow();
        return new AlertMonitor(
                admin.jdbc,
                queues.queues,
                queues.reports,
                told.alarms,
                lease,
                admin.transactions,
                admin.systemLog,
                clock);
    }

    @Test
    void recordsNotifiesAndLogsBacklogOnce() {
        AlertRule rule = rule("Backlog", null, THREE, 0);
        push(2);
        assertThat(look()).isEmpty();

        push(1);

        assertThat(look()).singleElement().asString().isEqualTo("""
                ops: [test] queue emails: 3 messages wait, the oldest due for 10 s (alert Backlog)
                  https://orth.example/queues/emails""");
        assertThat(look()).isEmpty();
        assertThat(alerts.list(true, QUEUE, Long.MAX_VALUE, 10)).singleElement().satisfies(alert -> {
            assertThat(alert.ruleId()).isEqualTo(rule.id());
            assertThat(alert.kind()).isEqualTo(AlertKind.BACKLOG);
            assertThat(alert.text()).isEqualTo("3 messages wait, the oldest due for 10 s");
            assertThat(alert.told()).isEqualTo(1);
            assertThat(alert.endedAt()).isNull();
        });
        assertThat(admin.systemLog.lines())
                .contains("WARN queue emails: 3 messages wait, the oldest due for 10 s (alert Backlog)");
        assertThat(told.alarms.list(Long.MAX_VALUE, 10)).singleElement().satisfies(alarm -> {
            assertThat(alarm.notices()).isEqualTo(1);
            assertThat(alarm.runs()).isZero();
        });
    }

    @Test
    void delayedMessagesAreNoBacklog() {
        rule("Backlog", null, THREE, 0);
        push(3);
        admin.jdbc
                .sql("update orth_message set due_at = due_at + interval '1 hour'")
                .update();

        assertThat(look()).isEmpty();
        clock.advance(Duration.ofHours(2));
        assertThat(look()).hasSize(1);
    }

    @Test
    void firesForOldestWaitingMessage() {
        rule("Late", null, new Backlog(null, Duration.ofMinutes(5)), 0);
        push(1);

        assertThat(look()).isEmpty();
        clock.advance(Duration.ofMinutes(5));

        assertThat(look()).singleElement().asString().contains("1 message waits, the oldest due for 5 min");
    }

    @Test
    void firesAtFailureRatioWithEnoughAttempts() {
        rule("Failures", null, new FailureRatio(0.5, 4, Duration.ofMinutes(5)), 0);
        work(1, 2);
        assertThat(look()).as("three ended").isEmpty();
        work(2, 0);
        assertThat(look()).as("two of five").isEmpty();
        work(0, 1);

        assertThat(look())
                .singleElement()
                .asString()
                .contains("50 % of 6 attempts failed in the last 5 min (alert Failures)");
        clock.advance(Duration.ofMinutes(7));
        assertThat(look()).singleElement().asString().contains("queue emails: over after 7 min (alert Failures)");
    }

    @Test
    void countsFoldedAndUnfoldedAttempts() {
        rule("Failures", null, new FailureRatio(1, 4, Duration.ofMinutes(5)), 0);
        work(0, 2);
        queues.fold();
        work(0, 2);

        assertThat(look()).singleElement().asString().contains("100 % of 4 attempts");
    }

    @Test
    void firesForQueueWithoutWorkers() {
        rule("Nobody", null, new NoWorkers(), 60);
        push(1);

        assertThat(look()).isEmpty();
        clock.advance(Duration.ofSeconds(59));
        assertThat(look()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(look())
                .singleElement()
                .asString()
                .contains("queue emails: 1 message waits and no executor asks for them (alert Nobody)");

        queues.claim(QUEUE, executor, 1);
        assertThat(look()).singleElement().asString().contains("over after 60 s");
    }

    @Test
    void needsNoWorkersWhenIdlePausedOrPolled() {
        rule("Nobody", null, new NoWorkers(), 0);
        queues.queues.open(QUEUE);
        assertThat(look()).as("nothing waits").isEmpty();
        queues.claim(QUEUE, executor, 1);
        push(1);
        assertThat(look()).as("somebody asks").isEmpty();

        admin.jdbc.sql("update orth_executor set draining = true").update();
        queues.queues.pause(QUEUE);
        assertThat(look()).as("paused").isEmpty();
        queues.queues.resume(QUEUE);
        assertThat(look()).as("who drains asks for nothing").hasSize(1);
    }

    @Test
    void repeatsNoNotificationDuringCooldown() {
        rule("Backlog", null, THREE, 0);
        push(3);
        assertThat(look()).hasSize(1);

        clock.advance(COOL_DOWN.minusSeconds(1));
        monitor = started("one");
        assertThat(look()).isEmpty();
        monitor = started("two");
        assertThat(look()).isEmpty();
        clock.advance(Duration.ofSeconds(1));

        assertThat(look()).as("a reminder").hasSize(1);
        assertThat(alerts.list(null, null, Long.MAX_VALUE, 10))
                .singleElement()
                .satisfies(alert -> assertThat(alert.told()).isEqualTo(2));
    }

    @Test
    void nextAdminKnowsHowLongRuleHasHeld() {
        rule("Backlog", null, THREE, 60);
        push(3);
        assertThat(look()).isEmpty();
        clock.advance(Duration.ofSeconds(60));

        monitor = started("two");

        assertThat(look()).hasSize(1);
    }

    @Test
    void adminWithoutLeaseWritesNothing() {
        rule("Backlog", null, THREE, 0);
        push(3);
        AlertMonitor paused = monitor;
        long old = term;
        monitor = started("two");

        paused.run(old);

        assertThat(alerts.list(null, null, Long.MAX_VALUE, 10)).isEmpty();
        assertThat(look()).hasSize(1);
    }

    @Test
    void notifiesResolutionOnceAndReopensSameAlert() {
        rule("Backlog", null, THREE, 0);
        push(3);
        look();
        List<ClaimedMessage> claimed = queues.claim(QUEUE, executor, 1);
        clock.advance(Duration.ofMinutes(3));

        assertThat(look()).singleElement().asString().contains("queue emails: over after 3 min (alert Backlog)");
        assertThat(admin.systemLog.lines()).contains("INFO queue emails: over after 3 min (alert Backlog)");
        assertThat(firing()).isEmpty();
        push(1);
        assertThat(look()).as("it comes back").isEmpty();
        assertThat(firing()).hasSize(1);
        queues.claim(QUEUE, executor, 1);
        assertThat(look()).as("and is over again").isEmpty();

        assertThat(alerts.list(false, null, Long.MAX_VALUE, 10)).singleElement().satisfies(alert -> {
            assertThat(alert.endedBy()).isEqualTo("RECOVERED");
            assertThat(alert.told()).isEqualTo(1);
        });
        assertThat(claimed).hasSize(1);
    }

    @Test
    void appliesRuleToOneQueueAllOrNoneIfDisabled() {
        push(QUEUE, 3);
        push("invoices", 3);
        rule("One", "invoices", THREE, 0);
        AlertRule off = rule("Off", null, THREE, 0);
        change(off, null, false);

        assertThat(look())
                .singleElement()
                .asString()
                .contains("queue invoices:")
                .contains("(alert One)");
        change(off, null, true);
        assertThat(look())
                .singleElement()
                .asString()
                .startsWith("ops: [test] 2 queue alerts\nqueue emails: 3 messages wait")
                .contains("queue invoices: 3 messages wait");
    }

    @Test
    void narrowedRuleStopsWithoutNotification() {
        push(QUEUE, 3);
        push("invoices", 3);
        AlertRule rule = rule("All", null, THREE, 0);
        look();
        assertThat(firing()).hasSize(2);

        change(rule, "invoices", true);

        assertThat(look()).isEmpty();
        assertThat(firing())
                .singleElement()
                .satisfies(alert -> assertThat(alert.queue()).isEqualTo("invoices"));
        assertThat(alerts.list(false, QUEUE, Long.MAX_VALUE, 10))
                .singleElement()
                .satisfies(alert -> assertThat(alert.endedBy()).isEqualTo("RULE"));
    }

    @Test
    void endsAlertsOfDeletedRuleAndKeepsHistory() {
        push(3);
        AlertRule rule = rule("Gone", null, THREE, 0);
        look();

        alerts.delete(rule.id());

        assertThat(firing()).isEmpty();
        assertThat(alerts.list(null, null, Long.MAX_VALUE, 10)).singleElement().satisfies(alert -> {
            assertThat(alert.ruleName()).isEqualTo("Gone");
            assertThat(alert.endedBy()).isEqualTo("RULE");
        });
        assertThat(look()).isEmpty();
    }

    @Test
    void notifiesChannelsOfGroupOnlyOfItsQueues() {
        ExecutorGroup other = admin.group("other");
        told.channel("team", group.id());
        told.channel("others", other.id());
        rule("Backlog", null, THREE, 0);
        push(QUEUE, 3);
        push("nobodys", 3);
        admin.jdbc
                .sql("update orth_queue set group_id = :group where name = 'emails'")
                .param("group", group.id())
                .update();

        assertThat(look())
                .hasSize(2)
                .anySatisfy(text -> assertThat(text).startsWith("ops: [test] 2 queue alerts"))
                .anySatisfy(text -> assertThat(text).startsWith("team: [test] queue emails:"));
    }

    @Test
    void doesNotFireIfNotificationFails() {
        rule("Backlog", null, THREE, 0);
        push(3);
        admin.jdbc.sql("alter table orth_alarm_notice rename to away").update();
        try {
            assertThatThrownBy(() -> monitor.run(term)).hasMessageContaining("orth_alarm_notice");
        } finally {
            admin.jdbc.sql("alter table away rename to orth_alarm_notice").update();
        }

        assertThat(alerts.list(null, null, Long.MAX_VALUE, 10)).isEmpty();
        assertThat(look()).hasSize(1);
    }

    @Test
    void recordsAndLogsAlertWithoutChannel() {
        admin.jdbc.sql("delete from orth_alarm_channel").update();
        rule("Backlog", null, THREE, 0);
        push(3);

        assertThat(look()).isEmpty();

        assertThat(firing()).hasSize(1);
        assertThat(admin.systemLog.lines()).anyMatch(line -> line.startsWith("WARN queue emails: 3 messages wait"));
    }

    @Test
    void limitsHistoryByAgeAndCount() {
        admin.jdbc.sql("""
                        insert into orth_queue_alert (rule_id, rule_name, kind, queue, text, fired_at, told, told_at, ended_at, ended_by)
                        select 1, 'r', 'BACKLOG', 'q' || n, 't', now(), 1, now(),
                               case when n = 3 then null else now() - n * interval '10 days' end,
                               case when n = 3 then null else 'RECOVERED' end
                          from generate_series(1, 6) n
                        """).update();
        AlertRepository repository = new AlertRepository(admin.jdbc);

        repository.prune(Instant.now().minus(Duration.ofDays(45)), 100, 10);
        assertThat(alerts.list(null, null, Long.MAX_VALUE, 10))
                .extracting(QueueAlert::queue)
                .containsExactly("q4", "q3", "q2", "q1");
        repository.prune(Instant.EPOCH, 1, 10);
        assertThat(alerts.list(null, null, Long.MAX_VALUE, 10))
                .as("what fires is never taken away")
                .extracting(QueueAlert::queue)
                .containsExactly("q4", "q3");
    }

    @Test
    void newInstallationHasDefaultRules() {
        AdminFixture installed = new AdminFixture(fresh);
        QueueAlerts rules = new QueueAlerts(installed.jdbc, installed.queues.queues, installed.transactions, clock);

        assertThat(rules.rules())
                .extracting(AlertRule::spec)
                .containsExactly(
                        new AlertRuleSpec(
                                "Backlog",
                                null,
                                new Backlog(1_000L, null),
                                Duration.ZERO,
                                Duration.ofMinutes(60),
                                true),
                        new AlertRuleSpec(
                                "Many failures",
                                null,
                                new FailureRatio(0.5, 50, Duration.ofMinutes(5)),
                                Duration.ZERO,
                                Duration.ofMinutes(30),
                                true),
                        new AlertRuleSpec(
                                "No workers",
                                null,
                                new NoWorkers(),
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(15),
                                true));
    }

    private AlertRule rule(String name, String queue, AlertCondition condition, int forSeconds) {
        if (queue != null) {
            queues.queues.open(queue);
        }
        return alerts.create(
                new AlertRuleSpec(name, queue, condition, Duration.ofSeconds(forSeconds), COOL_DOWN, true));
    }

    private void change(AlertRule rule, String queue, boolean enabled) {
        AlertRuleSpec spec = rule.spec();
        alerts.update(
                rule.id(),
                alerts.rule(rule.id()).version(),
                new AlertRuleSpec(spec.name(), queue, spec.condition(), spec.holdFor(), spec.coolDown(), enabled));
    }

    /** Runs one pass; returns the notifications sent. */
    private List<String> look() {
        monitor.run(term);
        return told.send();
    }

    private List<QueueAlert> firing() {
        return alerts.list(true, null, Long.MAX_VALUE, 10);
    }

    private void push(int messages) {
        push(QUEUE, messages);
    }

    /** The messages are due in the database, and for at least 10 s by the test's clock. */
    private void push(String queue, int messages) {
        queues.queues.push(
                queue,
                IntStream.range(0, messages)
                        .mapToObj(i -> MessageSpec.of("hello"))
                        .toList());
        admin.jdbc
                .sql("update orth_message set due_at = least(due_at, :due) where status = 'WAITING'")
                .param("due", clock.instant().minusSeconds(10).atOffset(ZoneOffset.UTC))
                .update();
    }

    /** Completes and fails these numbers of messages. */
    private void work(int done, int failed) {
        push(done + failed);
        List<ClaimedMessage> claimed = queues.claim(QUEUE, executor, done + failed);
        queues.report(
                QUEUE,
                executor,
                IntStream.range(0, claimed.size())
                        .mapToObj(i -> new MessageResult(
                                claimed.get(i).id(),
                                claimed.get(i).logId(),
                                i < done ? 200 : 500,
                                "said",
                                true,
                                null,
                                1))
                        .toArray(MessageResult[]::new));
    }
}
