package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.StateMachines;
import io.orth.admin.StateMachines.State;
import io.orth.admin.api.RescueScenarios.Scenario;
import io.orth.admin.api.RescueScenarios.World;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.TransitionListener;
import io.orth.runtime.PeriodicLoop;
import io.orth.testkit.TestDatabase;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No state waits for ever: each that is not terminal says what ends it, and is seen to end in an admin that runs. */
@Tag("must-kernel")
class EveryStateIsRescuedDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static final Set<String> SENDERS = Set.of("unsent-run-rescuer", "turn-keeper");

    /** The thread on which something left a state. */
    private static final Map<Exit, String> MOVERS = new ConcurrentHashMap<>();

    private static AdminServer.Running admin;

    @BeforeAll
    static void start() {
        admin = AdminServer.start(
                db,
                "--orth.registry.verify-interval=1s",
                "--orth.registry.outage-grace-period=0s",
                "--orth.triggering.send-timeout=1s",
                "--orth.triggering.claim=2s",
                "--orth.registry.deregistration-grace-period=1s",
                "--orth.xxl-job.silent-after=15s",
                "--orth.xxl-job.lost-after=1s",
                "--orth.xxl-job.lost-every=1s",
                "--orth.pipeline.audit-every=1s",
                "--orth.pipeline.stuck-after=1s",
                "--orth.alarm.max-attempts=1");
        record(admin.context().getBean(StateChanges.class));
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    static List<Scenario> scenarios() {
        return RescueScenarios.ALL;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void isEnded(Scenario scenario) {
        try (World world = new World(admin, db)) {
            BooleanSupplier over = scenario.plant().apply(world);

            Awaitility.await().atMost(120, TimeUnit.SECONDS).until(() -> {
                world.tick();
                return over.getAsBoolean();
            });
            kindOf(scenario).ifPresent(kind -> assertMovedByRescuer(scenario, kind, world.planted(kind)));
        }
    }

    /** Dispatchers of runs use threads of their own. */
    private static void assertMovedByRescuer(Scenario scenario, EntityKind kind, Set<Long> planted) {
        if (planted.isEmpty() || SENDERS.contains(scenario.by())) {
            return;
        }
        assertThat(planted.stream()
                        .map(id -> MOVERS.get(new Exit(kind, id, scenario.state())))
                        .filter(Objects::nonNull))
                .as("what moved it out of %s", scenario.state())
                .isNotEmpty()
                .allMatch(thread -> thread.startsWith("orth-" + scenario.by()));
    }

    /** Empty for a state that is not journalled. */
    private static Optional<EntityKind> kindOf(Scenario scenario) {
        return Arrays.stream(EntityKind.values())
                .filter(kind -> StateMachines.nameOf(kind).equals(scenario.machine()))
                .findFirst();
    }

    /** Called as listeners are, on the thread that changes the status. */
    private record Recorder(EntityKind entity) implements TransitionListener {

        @Override
        public void changed(List<StateChange> changes) {
            changes.stream()
                    .filter(change -> change.from() != null)
                    .forEach(change -> MOVERS.put(
                            new Exit(entity, change.row().id(), change.from()),
                            Thread.currentThread().getName()));
        }
    }

    private record Exit(EntityKind kind, long id, String from) {}

    /** After those that the admin has, which are set once. */
    @SuppressWarnings("unchecked")
    private static void record(StateChanges changes) {
        try {
            Field field = StateChanges.class.getDeclaredField("listeners");
            field.setAccessible(true);
            ((AtomicReference<List<TransitionListener>>) field.get(changes))
                    .updateAndGet(inOrder -> Stream.concat(
                                    inOrder.stream(),
                                    Arrays.stream(EntityKind.values()).map(Recorder::new))
                            .toList());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void everyNonTerminalStateNamesItsRescue() {
        assertThat(StateMachines.states())
                .allSatisfy(state -> assertThat(state.rescues().isEmpty())
                        .as("whether nothing ends %s", state)
                        .isEqualTo(state.terminal()));
    }

    @Test
    void scenariosCoverExactlyTheRescuers() {
        assertThat(RescueScenarios.ALL.stream().map(Scenario::key).distinct())
                .containsExactlyInAnyOrderElementsOf(StateMachines.states().stream()
                        .flatMap(EveryStateIsRescuedDbTest::keys)
                        .distinct()
                        .toList());
    }

    @Test
    void everyRescuerIsALoopOfTheAdmin() {
        Set<String> loops = admin.context().getBeansOfType(PeriodicLoop.class).values().stream()
                .map(PeriodicLoop::name)
                .collect(Collectors.toSet());

        assertThat(loops).containsAll(rescuers().toList());
    }

    private static Stream<String> rescuers() {
        return StateMachines.states().stream()
                .flatMap(state -> state.rescues().stream())
                .map(Rescue::by)
                .filter(by -> !by.equals(Rescue.PERSON));
    }

    private static Stream<String> keys(State state) {
        return state.rescues().stream()
                .filter(rescue -> !rescue.by().equals(Rescue.PERSON))
                .map(rescue -> "%s %s %s".formatted(state.machine(), state.name(), rescue.by()));
    }
}
