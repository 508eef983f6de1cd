package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.TransitionScenarios.Scenario;
import io.orth.admin.TransitionScenarios.World;
import io.orth.admin.kernel.EntityKind;
import io.orth.protocol.StateTransition;
import io.orth.testkit.TestDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each edge of each state machine happens in a scenario and is journalled; an edge or a cause without one fails the build. */
@Tag("must-transitions")
class EveryTransitionDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    static List<Scenario> ofMessages() {
        return TransitionScenarios.ALL.stream()
                .filter(scenario -> scenario.edge().kind() == EntityKind.MESSAGE)
                .toList();
    }

    static List<Scenario> ofOthers() {
        return TransitionScenarios.ALL.stream()
                .filter(scenario -> scenario.edge().kind() != EntityKind.MESSAGE)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("ofMessages")
    @Tag("must-queues")
    void ofAMessageIsJournalled(Scenario scenario) {
        checkJournalled(scenario);
    }

    @ParameterizedTest
    @MethodSource("ofOthers")
    void isJournalled(Scenario scenario) {
        checkJournalled(scenario);
    }

    private static void checkJournalled(Scenario scenario) {
        AdminFixture admin = AdminFixture.onEmptied(db);

        long id = scenario.drive().applyAsLong(new World(admin));

        List<StateTransition> timeline = admin.journal.list(scenario.edge().kind(), id);
        StateTransition last = timeline.get(timeline.size() - 1);
        assertThat(last.from()).isEqualTo(scenario.edge().from());
        assertThat(last.to()).isEqualTo(scenario.edge().to());
        assertThat(last.cause()).isEqualTo(scenario.cause());
        assertThat(timeline)
                .extracting(StateTransition::sequence)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, timeline.size()).boxed().toList());
        assertThat(timeline.get(0).from()).isNull();
        for (int i = 1; i < timeline.size(); i++) {
            assertThat(timeline.get(i).from()).isEqualTo(timeline.get(i - 1).to());
            assertThat(timeline.get(i).millisInFrom()).isNotNegative();
        }
    }

    @Test
    void scenariosCoverExactlyTheExistingEdges() {
        assertThat(TransitionScenarios.ALL.stream().map(Scenario::edge).distinct())
                .containsExactlyInAnyOrderElementsOf(StateMachines.edges());
    }

    /** The enums of two features are their own. */
    @ParameterizedTest
    @CsvSource({
        "RUN, io.orth.admin.run.RunCause",
        "EXECUTOR, io.orth.admin.registry.ExecutorMove$Reason",
        "JOB, io.orth.admin.job.JobMove$Reason",
        "MESSAGE, io.orth.admin.queue.MessageCause",
        "PIPELINE_RUN, io.orth.admin.pipeline.PipelineRunCause",
        "PIPELINE_TASK, io.orth.admin.pipeline.PipelineTaskCause",
        "OPERATION, io.orth.admin.deadletter.OperationMove$Reason",
        "ALARM, io.orth.admin.alarm.AlarmMove$Reason"
    })
    void thereIsAScenarioForEveryCause(EntityKind kind, Class<? extends Enum<?>> causes) {
        assertThat(TransitionScenarios.ALL.stream()
                        .filter(scenario -> scenario.edge().kind() == kind)
                        .map(Scenario::cause)
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(causes.getEnumConstants()).map(Enum::name).toList());
    }
}
