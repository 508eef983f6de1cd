package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.StateMachines;
import io.orth.admin.StateMachines.State;
import io.orth.admin.api.RescueScenarios.Scenario;
import io.orth.admin.api.RescueScenarios.World;
import io.orth.admin.kernel.Rescue;
import io.orth.runtime.PeriodicLoop;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
        }
    }

    @Test
    void everyStateThatIsNotTerminalSaysWhatEndsIt() {
        assertThat(StateMachines.states())
                .allSatisfy(state -> assertThat(state.rescues().isEmpty())
                        .as("whether nothing ends %s", state)
                        .isEqualTo(state.terminal()));
    }

    @Test
    void everyRescuerHasAScenarioAndNoOther() {
        assertThat(RescueScenarios.ALL.stream().map(Scenario::key).distinct())
                .containsExactlyInAnyOrderElementsOf(StateMachines.states().stream()
                        .flatMap(EveryStateIsRescuedDbTest::keys)
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
