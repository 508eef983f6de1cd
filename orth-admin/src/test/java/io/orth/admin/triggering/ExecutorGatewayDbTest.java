package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.protocol.LogRange;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Probes of executors and reads of their logs. */
class ExecutorGatewayDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private final ExecutorGateway gateway = TriggersFixture.gateway(Duration.ofSeconds(5));
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target target;
    private RunLogs logs;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        target = admin.executor(group, "instance", executor.address());
        logs = new RunLogs(admin.executors, gateway, TriggersFixture.foreignLogs());
    }

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void probeSucceedsForSameInstance() throws Exception {
        assertThat(gateway.answers(target)).isTrue();
    }

    @Test
    void probeFailsForAnotherInstanceAtAddress() throws Exception {
        executor.restartAs("successor");

        assertThat(gateway.answers(target)).isFalse();
    }

    @Test
    void probeFailsWithoutServer() throws Exception {
        executor.close();

        assertThat(gateway.answers(target)).isFalse();
    }

    @Test
    void probeFailsForOtherServerAtAddress() throws Exception {
        try (RawExecutor web = new RawExecutor(200, "<html>hello</html>")) {
            admin.register(group, "web", web.address(), false);

            assertThat(gateway.answers(admin.target("web"))).isFalse();
        }
    }

    @Test
    void readsLogFromItsExecutor() throws Exception {
        executor.log("one\ntwo\n");
        Run run = admin.pendingRun(group, target);

        assertThat(logs.read(run, 4, 100)).isEqualTo(new LogRange(true, 4, 8, 8, "two\n"));
    }

    @Test
    void returnsEmptyLogOfUnsentRun() throws Exception {
        assertThat(logs.read(admin.unsentRun(group), 0, 100)).isEqualTo(new LogRange(false, 0, 0, 0, ""));
    }

    @Test
    void namesExecutorThatDoesNotRespond() {
        Run run = admin.pendingRun(group, target);
        executor.close();

        assertUnreachable(run, "the log is kept by the executor at %s, which does not answer");
    }

    @Test
    void reportsOfflineExecutor() {
        Run run = admin.pendingRun(group, target);
        executor.close();
        admin.jdbc.sql("update orth_executor set status = 'OFFLINE'").update();

        assertUnreachable(run, "the log is kept by the executor at %s, which is offline");
    }

    @Test
    void rejectsInvalidLogResponse() {
        try (RawExecutor garbled = new RawExecutor(200, "{\"code\":200,\"content\":{\"from\":\"x\"}}")) {
            Run run = admin.pendingRun(group, admin.executor(group, "garbled", garbled.address()));

            assertThatThrownBy(() -> logs.read(run, 0, 100))
                    .isInstanceOfSatisfying(
                            OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXECUTOR_UNREACHABLE));
        }
    }

    @Test
    void reportsDeletedExecutor() {
        Run run = admin.pendingRun(group, target);
        admin.jdbc.sql("delete from orth_executor").update();

        assertThatThrownBy(() -> logs.read(run, 0, 100))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
                .hasMessage("the executor that kept this log (%s) is long gone", executor.address());
    }

    private void assertUnreachable(Run run, String message) {
        assertThatThrownBy(() -> logs.read(run, 0, 100))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXECUTOR_UNREACHABLE))
                .hasMessage(message.formatted(executor.address()));
    }
}
