package io.orth.admin.alarm;

import static io.orth.admin.registry.ExecutorKind.ORTH;
import static io.orth.admin.registry.ExecutorKind.XXL_JOB;
import static io.orth.admin.registry.OutageListener.Change.DECLARED_DEAD;
import static io.orth.admin.registry.OutageListener.Change.RESOLVED;
import static io.orth.admin.registry.OutageListener.Change.SUSPECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Node;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-first")
class OutageAlarmsDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private AlarmFixture fixture;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        fixture = new AlarmFixture(admin);
        fixture.channel("ops");
        fixture.channel("billing", admin.group("billing").id());
    }

    private OutageAlarms on(String node) {
        Node holder = new Node(node, node, 1, "test");
        return new OutageAlarms(fixture.alarms, admin.jdbc, holder, admin.transactions, Clock.systemUTC());
    }

    @Test
    void channelsThatWatchEverythingAreNotifiedOnceByTheCluster() {
        on("node-a").changed(ORTH, SUSPECTED, "3 of 4 executors stopped sending heartbeats");
        on("node-b").changed(ORTH, SUSPECTED, "3 of 4 executors stopped sending heartbeats");

        assertThat(fixture.send())
                .containsExactly("ops: [test] 3 of 4 executors stopped sending heartbeats (alert executor outage)\n"
                        + "  https://orth.example/executors");
    }

    @Test
    void theEndIsNotifiedAndTheNextOutageIsAnother() {
        on("node-a").changed(ORTH, SUSPECTED, "3 of 4 executors stopped sending heartbeats");
        on("node-a").changed(ORTH, RESOLVED, "at most half of the executors online miss heartbeats");
        on("node-b").changed(ORTH, SUSPECTED, "4 of 4 executors stopped sending heartbeats");

        assertThat(fixture.send()).hasSize(3).last().asString().contains("4 of 4");
    }

    /** The executors' work is released: nothing has recovered. */
    @Test
    void anEndWithDeadExecutorsIsNoRecovery() {
        on("node-a").changed(ORTH, SUSPECTED, "3 of 4 executors stopped sending heartbeats");
        on("node-a").changed(ORTH, DECLARED_DEAD, "3 executors were declared dead");
        on("node-b").changed(ORTH, SUSPECTED, "4 of 4 executors stopped sending heartbeats");
        on("node-b").changed(ORTH, RESOLVED, "at most half of the executors online miss heartbeats");

        assertThat(admin.jdbc
                        .sql("select text from orth_alarm_notice where over")
                        .query(String.class)
                        .list())
                .containsExactly("at most half of the executors online miss heartbeats");
        assertThat(fixture.send()).hasSize(4);
    }

    @Test
    void eachKindOfExecutorsHasItsOwnAlarm() {
        on("node-a").changed(ORTH, SUSPECTED, "3 of 4 Orth executors stopped sending heartbeats");
        on("node-b").changed(XXL_JOB, SUSPECTED, "2 of 3 XXL-JOB executors stopped sending heartbeats");
        on("node-b").changed(XXL_JOB, RESOLVED, "at most half of the XXL-JOB executors online miss heartbeats");
        on("node-b").changed(ORTH, SUSPECTED, "3 of 4 Orth executors stopped sending heartbeats");

        assertThat(fixture.send())
                .satisfiesExactly(
                        first -> assertThat(first).contains("3 of 4 Orth"),
                        second -> assertThat(second).contains("2 of 3 XXL-JOB"),
                        third -> assertThat(third).contains("at most half of the XXL-JOB"));
    }
}
