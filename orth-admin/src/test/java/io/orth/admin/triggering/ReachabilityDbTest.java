package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.registry.Executor;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.TriggerType;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executors whose heartbeats arrive but that cannot be reached, as in a one-way network partition. */
@Tag("must-first")
class ReachabilityDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<FakeExecutor> servers = new ArrayList<>();
    private AdminFixture admin;
    private ExecutorGroup group;
    private TriggersFixture triggers;
    private int jobs;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        triggers = new TriggersFixture(admin);
    }

    @AfterEach
    void tearDown() {
        servers.forEach(FakeExecutor::close);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SHARDING_BROADCAST")
    void skipsUnreachableExecutorUntilProbeSucceeds(RouteStrategy strategy) {
        List<FakeExecutor> all = executors(2);
        all.forEach(FakeExecutor::close);
        assertThat(admin.statusOf(fire(strategy))).isEqualTo(RunStatus.INIT);

        FakeExecutor back = reopened(all.get(1));
        Run waiting = fire(strategy);
        assertThat(messageOf(waiting))
                .startsWith("executors send heartbeats but cannot be reached by this admin: ")
                .contains(all.get(0).address(), back.address());
        assertThat(unreachable()).as("before a probe").isEmpty();

        triggers.probe();
        assertThat(unreachable()).containsExactly(all.get(0).instanceId());
        takeUp();

        assertThat(admin.statusOf(waiting)).isEqualTo(RunStatus.PENDING);
        for (int i = 0; i < 3; i++) {
            assertThat(messageOf(fire(strategy))).isEqualTo("accepted by " + back.address());
        }
        assertThat(admin.systemLog.lines())
                .filteredOn(line -> line.contains("cannot be reached"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains(all.get(0).address()));

        FakeExecutor other = reopened(all.get(0));
        triggers.probe();
        assertThat(unreachable()).isEmpty();
        back.close();
        triggers.routes.failed(admin.target(back.instanceId()));
        fire(strategy);
        assertThat(other.received()).hasSize(1);
    }

    @Test
    void shardWaitsForItsUnreachableExecutor() {
        List<FakeExecutor> all = executors(2);
        all.get(0).close();
        triggers.routes.failed(admin.target(all.get(0).instanceId()));

        fire(RouteStrategy.SHARDING_BROADCAST);
        assertThat(all.get(1).received()).hasSize(1);

        FakeExecutor back = reopened(all.get(0));
        triggers.probe();
        takeUp();
        assertThat(back.received()).hasSize(1);
    }

    @Test
    void doesNotProbeOfflineExecutor() {
        FakeExecutor gone = executors(1).get(0);
        gone.close();
        triggers.routes.failed(admin.target(gone.instanceId()));
        admin.jdbc.sql("update orth_executor set status = 'OFFLINE'").update();

        triggers.probe();

        assertThat(triggers.reachability.isReachable(admin.target(gone.instanceId())))
                .isTrue();
        assertThat(admin.systemLog.lines()).noneMatch(line -> line.contains("cannot be reached"));
    }

    private FakeExecutor reopened(FakeExecutor closed) {
        FakeExecutor again = FakeExecutor.at(closed.address(), closed.instanceId());
        servers.add(again);
        return again;
    }

    private List<String> unreachable() {
        return admin.executors.list(null, Long.MAX_VALUE, 10).stream()
                .filter(executor -> executor.unreachableAt() != null)
                .map(Executor::instanceId)
                .toList();
    }

    private List<FakeExecutor> executors(int n) {
        List<FakeExecutor> made = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            FakeExecutor executor = new FakeExecutor("instance-" + i);
            servers.add(executor);
            made.add(executor);
            admin.executor(group, executor.instanceId(), executor.address());
        }
        return made;
    }

    /** Creates a job and fires its first run, which is sent if possible. */
    private Run fire(RouteStrategy strategy) {
        JobSpec spec = new JobSpec(
                "job " + jobs++,
                group.id(),
                "handler",
                "",
                new Schedule.None(),
                MisfirePolicy.FIRE_ONCE,
                JobSpecs.PLAIN,
                new Routing(strategy, List.of()));
        Run run = triggers.triggers().fire(admin.jobs.create(spec, true), null, TriggerType.API, null);
        triggers.sendAll();
        return run;
    }

    private void takeUp() {
        admin.expireClaims();
        triggers.rescuer.run();
        triggers.sendAll();
    }

    private String messageOf(Run run) {
        return admin.runs.get(run.id()).triggerMsg();
    }
}
