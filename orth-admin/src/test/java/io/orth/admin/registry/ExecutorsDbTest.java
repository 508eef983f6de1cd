package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.protocol.Registration;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExecutorsDbTest {

    private static final String ADDRESS = "http://127.0.0.1:9999";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
    }

    @Test
    void anExecutorThatRegistersIsOnline() {
        Target executor = admin.executor(group, "instance", ADDRESS + "/");

        assertThat(admin.executors.online(List.of(group.id()))).isEqualTo(Map.of(group.id(), List.of(executor)));
        assertThat(executor.address()).isEqualTo(ADDRESS);
        assertThat(executor.token()).isEqualTo(admin.groups.token(group.id()));
        assertThat(admin.journalOf(executor)).containsExactly("null->ONLINE REGISTERED");
    }

    @Test
    void heartbeatIsStoredWithoutStateTransition() {
        Target executor = admin.executor(group, "instance", ADDRESS);
        admin.silence(executor, Duration.ofSeconds(60));

        admin.register(group, "instance", ADDRESS, false);

        assertThat(admin.executors.silent(ExecutorKind.ORTH, Duration.ofSeconds(15), 0, 10))
                .isEmpty();
        assertThat(admin.journalOf(executor)).hasSize(1);
        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10)).hasSize(1);
    }

    @Test
    void deregisteredExecutorReturnsWithNextHeartbeat() {
        Target executor = admin.executor(group, "instance", ADDRESS);

        leave(group, "instance");
        assertThat(admin.executorStatus(executor)).isEqualTo("OFFLINE");
        assertThat(admin.executors.online(List.of(group.id()))).isEmpty();
        assertThat(admin.systemLog.lines()).hasSize(2);
        leave(group, "instance");
        admin.register(group, "instance", ADDRESS, false);

        assertThat(admin.journalOf(executor))
                .containsExactly("null->ONLINE REGISTERED", "ONLINE->OFFLINE LEFT", "OFFLINE->ONLINE RETURNED");
        assertThat(admin.target("instance").online()).isTrue();
        assertThat(admin.systemLog.lines())
                .containsExactly(
                        "INFO executor at %s registered [instance]".formatted(ADDRESS),
                        "INFO executor at %s left [instance]".formatted(ADDRESS),
                        "INFO executor at %s is back [instance]".formatted(ADDRESS));
    }

    @Test
    @Tag("must-first")
    void startsNewIncarnationAfterDeclaredDead() {
        Executors.Registered first = register();
        Executors.Registered again = register();
        assertThat(again).isEqualTo(first);

        admin.silence(admin.target("instance"), Duration.ofSeconds(60));
        SilentExecutors.declareDead(admin.executors);
        Executors.Registered back = register();

        assertThat(back.id()).isEqualTo(first.id());
        assertThat(back.incarnation()).isNotEqualTo(first.incarnation());
        assertThat(register()).as("an answer that was lost is given again").isEqualTo(back);
    }

    private Executors.Registered register() {
        return admin.executors.register(
                group.id(),
                new Registration(group.name(), ADDRESS, new Registration.Instance("instance", "host", 1, "v", false)),
                InetAddress.getLoopbackAddress());
    }

    @Test
    void ignoresDeregistrationOfAnotherGroupsExecutor() {
        Target executor = admin.executor(group, "instance", ADDRESS);

        leave(admin.group("other"), "instance");
        leave(group, "nobody");

        assertThat(admin.executorStatus(executor)).isEqualTo("ONLINE");
    }

    @Test
    void rejectsInstanceOfAnotherGroup() {
        admin.executor(group, "instance", ADDRESS);
        ExecutorGroup other = admin.group("other");

        assertThatThrownBy(() -> admin.register(other, "instance", ADDRESS, false))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));

        assertThat(admin.target("instance").groupId()).isEqualTo(group.id());
        assertThat(admin.executors.online(List.of(other.id()))).isEmpty();
    }

    @Test
    void successorReplacesPredecessorOnceLeftoversAreDelivered() {
        Target old = admin.executor(group, "old", ADDRESS);

        admin.register(group, "new", ADDRESS, false);
        assertThat(admin.executorStatus(old)).isEqualTo("ONLINE");
        admin.register(group, "new", ADDRESS, true);

        assertThat(admin.executorStatus(old)).isEqualTo("DEAD");
        assertThat(admin.journalOf(old)).containsExactly("null->ONLINE REGISTERED", "ONLINE->DEAD REPLACED");
        assertThat(admin.executorStatus(admin.target("new"))).isEqualTo("ONLINE");
    }

    @Test
    void aSuccessorThatNeverDeliversReplacesAfterTheGrace() {
        Target old = admin.executor(group, "old", ADDRESS);

        admin.silence(old, AdminFixture.REGISTRY.leftoverGrace().minusSeconds(5));
        admin.register(group, "new", ADDRESS, false);
        assertThat(admin.executorStatus(old)).isEqualTo("ONLINE");
        admin.silence(old, AdminFixture.REGISTRY.leftoverGrace().plusSeconds(1));
        admin.register(group, "new", ADDRESS, false);

        assertThat(admin.executorStatus(old)).isEqualTo("DEAD");
    }

    @Test
    @Tag("must-kernel")
    void aPredecessorIsNotReplacedWhileItMayStartWork() {
        Target old = admin.executor(group, "old", ADDRESS);
        admin.jdbc
                .sql("update orth_executor set heartbeat_timeout_ms = 60000 where id = :id")
                .param("id", old.executorId())
                .update();

        admin.silence(old, Duration.ofSeconds(55));
        admin.register(group, "new", ADDRESS, false);
        assertThat(admin.executorStatus(old)).isEqualTo("ONLINE");
        admin.silence(old, Duration.ofSeconds(61));
        admin.register(group, "new", ADDRESS, false);

        assertThat(admin.executorStatus(old)).isEqualTo("DEAD");
    }

    @Test
    void leavesOtherExecutorsAtTheSameAddressAlone() {
        Target neighbour = admin.executor(group, "neighbour", "http://127.0.0.1:9998");
        Target foreign = admin.executor(admin.group("other"), "foreign", ADDRESS);

        admin.register(group, "new", ADDRESS, true);

        assertThat(admin.executorStatus(neighbour)).isEqualTo("ONLINE");
        assertThat(admin.executorStatus(foreign)).isEqualTo("ONLINE");
    }

    @Test
    void aForbiddenAddressStoresNothing() {
        assertThatThrownBy(() -> admin.register(group, "instance", "http://169.254.169.254:80/", false))
                .isInstanceOf(OrthException.class);

        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10)).isEmpty();
    }

    static Stream<Registration.Instance> badInstances() {
        return Stream.of(
                new Registration.Instance("i".repeat(101), "host", 1, "v", false),
                new Registration.Instance("nul\0", "host", 1, "v", false),
                new Registration.Instance("instance", "nul\0", 1, "v", false),
                new Registration.Instance("instance", "host", 1, "nul\0", false),
                new Registration.Instance("instance", "host", 1, "v", false).inZone("nul\0"),
                new Registration.Instance("instance", "host", 1, "v", false).inZone("z".repeat(101)),
                new Registration.Instance("instance", "h".repeat(5_000), 1, "v", false),
                new Registration.Instance("instance", "host", 1, "v".repeat(5_000), false));
    }

    @ParameterizedTest
    @MethodSource("badInstances")
    void rejectsInvalidInstanceAsBadInput(Registration.Instance instance) {
        assertThatThrownBy(() -> admin.executors.register(
                        group.id(),
                        new Registration(group.name(), ADDRESS, instance),
                        InetAddress.getLoopbackAddress()))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT));
        assertThat(admin.executors.list(null, Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void theListIsNewestFirstByGroupAndInPages() {
        admin.executor(group, "first", ADDRESS);
        admin.executor(group, "second", "http://127.0.0.1:9998");
        ExecutorGroup other = admin.group("other");
        admin.executor(other, "third", ADDRESS);

        List<Executor> all = admin.executors.list(null, Long.MAX_VALUE, 10);
        assertThat(all).extracting(Executor::instanceId).containsExactly("third", "second", "first");
        assertThat(admin.executors.list(null, all.get(0).id(), 1))
                .extracting(Executor::instanceId)
                .containsExactly("second");
        assertThat(admin.executors.list(other.id(), Long.MAX_VALUE, 10))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.groupName()).isEqualTo("other");
                    assertThat(one.status()).isEqualTo(ExecutorStatus.ONLINE);
                    assertThat(one.host()).isEqualTo("host");
                });
    }

    @Test
    @Tag("must-queues")
    void listsLongOfflineExecutorsOnRequestOnly() {
        admin.executor(group, "online", ADDRESS);
        admin.executor(group, "left", "http://127.0.0.1:1");
        admin.executor(group, "gone", "http://127.0.0.1:2");
        List.of("left", "gone").forEach(instance -> leave(group, instance));
        admin.jdbc
                .sql("update orth_executor set status_at = now() - interval '11 minutes' where instance_id = 'gone'")
                .update();

        assertThat(admin.executors.list(group.id(), Long.MAX_VALUE, 10))
                .extracting(Executor::instanceId)
                .containsExactly("left", "online");
        assertThat(admin.executors.listWithGone(group.id(), Long.MAX_VALUE, 10))
                .extracting(Executor::instanceId)
                .containsExactly("gone", "left", "online");
    }

    @Test
    void prunesLongOfflineExecutorsWithoutAwaitedRuns() {
        Target online = admin.executor(group, "online", ADDRESS);
        Target fresh = admin.executor(group, "fresh", "http://127.0.0.1:1");
        Target awaited = admin.executor(group, "awaited", "http://127.0.0.1:2");
        Target gone = admin.executor(group, "gone", "http://127.0.0.1:3");
        admin.pendingRun(group, awaited);
        List.of("fresh", "awaited", "gone").forEach(instance -> leave(group, instance));
        admin.jdbc
                .sql("update orth_executor set status_at = now() - interval '8 days' where instance_id <> 'fresh'")
                .update();

        int pruned = admin.executors.prune(Duration.ofDays(7), 10);

        assertThat(pruned).isEqualTo(1);
        assertThat(admin.executors.targets(
                        List.of(online.executorId(), fresh.executorId(), awaited.executorId(), gone.executorId())))
                .extracting(Target::instanceId)
                .containsExactlyInAnyOrder("online", "fresh", "awaited");
    }

    private void leave(ExecutorGroup of, String instance) {
        admin.executors.leave(of.id(), new Registration.Instance(instance, "host", 7, "test", false));
    }
}
