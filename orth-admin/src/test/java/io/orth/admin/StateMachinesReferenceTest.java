package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.orth.admin.StateMachines.Edge;
import io.orth.admin.StateMachines.State;
import io.orth.admin.TransitionScenarios.Scenario;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.run.RunAlarm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;

/** The page about state machines is drawn from the code. */
class StateMachinesReferenceTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "state-machines.md");
    private static final Path DRAWN = Path.of("target", "state-machines.md");

    /** A setting as {@code orth.registry.verify-interval (30 s)}. */
    private static final Pattern SETTING = Pattern.compile("(orth\\.[a-z.-]+[a-z])(?: \\(([^)]*)\\))?");

    private static final String HEAD = """
            # State machines

            For each kind of entity: its states, its transitions and their causes. A test draws this page from the code, which has
            one table per kind, and fails if the page differs. Each edge is recorded as a [state
            transition](../guides/transitions.md) with one of the causes below. A correction is an edge out of a state that proved
            wrong: for example, a run was declared lost, and its own result arrived later.

            No entity stays in a non-final state forever. Each non-final state except a pause has a background loop that ends it if
            nothing else does. The loop decides by the age of the row and by the reports of executors, not by whether the owner of
            the row looks dead. A test creates each of these states and checks that it ends.
            """;

    @Test
    @Tag("must-transitions")
    void thePageShowsTheStateMachinesAsTheyAre() throws IOException {
        String drawn = HEAD
                + Arrays.stream(EntityKind.values())
                        .map(StateMachinesReferenceTest::section)
                        .collect(Collectors.joining())
                + runAlarms();
        Files.createDirectories(DRAWN.getParent());
        Files.writeString(DRAWN, drawn);

        assertThat(PAGE).as("redrawn as %s", DRAWN).hasContent(drawn);
    }

    @Test
    @Tag("must-kernel")
    void everyStatusInTheAdminIsOneOfThese() {
        assertThat(new ClassFileImporter()
                                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                                .importPackages("io.orth.admin")
                                .stream()
                                .filter(type -> type.isAssignableTo(Status.class) && !type.isInterface())
                                .map(JavaClass::getName))
                .containsExactlyInAnyOrderElementsOf(
                        StateMachines.types().stream().map(Class::getName).toList());
    }

    /** Any other state ends without a decision. */
    @Test
    @Tag("must-kernel")
    void onlyPausedStatesNeedAnOperator() {
        assertThat(StateMachines.states().stream()
                        .filter(state -> state.rescues().stream()
                                .anyMatch(rescue -> rescue.by().equals(Rescue.PERSON)))
                        .map(state -> "%s %s".formatted(state.machine(), state.name())))
                .containsExactlyInAnyOrder("Job PAUSED", "Operation PAUSED");
    }

    @Test
    @Tag("must-kernel")
    void settingsThatSayWhenAStateEndsAreNamedWithTheirDefaults() {
        Map<String, String> defaults = new HashMap<>(ReferencePage.rows("configuration.md").stream()
                .collect(Collectors.toMap(row -> row.get(0), row -> row.get(2))));
        // Three intervals; it has no default of its own.
        Duration timeout =
                Binding.bind("orth.registry", RegistryProperties.class).heartbeatTimeout();
        defaults.put("orth.registry.heartbeat-timeout", timeout.toSeconds() + "s");

        List<String> named = StateMachines.states().stream()
                .flatMap(state -> state.rescues().stream())
                .flatMap(rescue -> SETTING.matcher(rescue.after()).results())
                .map(MatchResult::group)
                .toList();

        assertThat(named).hasSizeGreaterThan(10).allSatisfy(text -> {
            Matcher setting = SETTING.matcher(text);
            assertThat(setting.matches()).isTrue();
            assertThat(defaults).containsKey(setting.group(1));
            assertThat(setting.group(2)).as(text).isNotNull();
            assertThat(duration(setting.group(2))).as(text).isEqualTo(duration(defaults.get(setting.group(1))));
        });
    }

    private static Duration duration(String text) {
        return DurationStyle.SIMPLE.parse(text.replace(" min", "m").replace(" ", ""));
    }

    private static String section(EntityKind kind) {
        List<Edge> edges = StateMachines.edges(kind);
        List<String> lines = diagram(
                StateMachines.nameOf(kind),
                StateMachines.of(kind),
                edges,
                edge -> ": " + String.join(", ", causes(edge)));
        lines.add("");
        lines.add("| from | to | causes | |");
        lines.add("| --- | --- | --- | --- |");
        for (Edge edge : edges) {
            lines.add("| %s | `%s` | %s | %s |"
                    .formatted(
                            edge.from() == null ? "" : "`" + edge.from() + "`",
                            edge.to(),
                            causes(edge).stream().map("`%s`"::formatted).collect(Collectors.joining(", ")),
                            isCorrection(edge) ? "correction" : ""));
        }
        lines.addAll(rescues(StateMachines.states(kind)));
        return String.join("\n", lines) + "\n";
    }

    /** Transitions do not record it, so it has no causes. */
    private static String runAlarms() {
        RunAlarm[] states = RunAlarm.values();
        List<String> lines =
                diagram(StateMachines.RUN_ALARM, states, StateMachines.edges(EntityKind.RUN, states), edge -> "");
        lines.add("");
        lines.add(
                "This state is not journalled. The transitions of the alarms that name the run show it. FAILED to SENT is a correction.");
        lines.addAll(rescues(StateMachines.states(StateMachines.RUN_ALARM, states)));
        return String.join("\n", lines) + "\n";
    }

    private static List<String> diagram(
            String name, Status<?>[] states, List<Edge> edges, Function<Edge, String> label) {
        List<String> lines = new ArrayList<>(List.of("", "## " + name, "", "```mermaid", "stateDiagram-v2"));
        for (Edge edge : edges) {
            lines.add("    %s --> %s%s"
                    .formatted(edge.from() == null ? "[*]" : edge.from(), edge.to(), label.apply(edge)));
        }
        Arrays.stream(states)
                .filter(Status::isTerminal)
                .forEach(end -> lines.add("    %s --> [*]".formatted(end.name())));
        lines.add("```");
        return lines;
    }

    private static List<String> rescues(List<State> states) {
        List<String> lines =
                new ArrayList<>(List.of("", "| state | ended by | when | after |", "| --- | --- | --- | --- |"));
        for (State state : states) {
            for (Rescue rescue : state.rescues()) {
                lines.add("| `%s` | %s | %s | %s |"
                        .formatted(
                                state.name(),
                                rescue.by().equals(Rescue.PERSON) ? rescue.by() : "`%s`".formatted(rescue.by()),
                                rescue.when(),
                                rescue.after()));
            }
        }
        return lines;
    }

    private static List<String> causes(Edge edge) {
        return TransitionScenarios.ALL.stream()
                .filter(scenario -> scenario.edge().equals(edge))
                .map(Scenario::cause)
                .toList();
    }

    private static boolean isCorrection(Edge edge) {
        return Arrays.stream(StateMachines.of(edge.kind()))
                .filter(from -> from.name().equals(edge.from()))
                .flatMap(from -> from.corrections().stream())
                .anyMatch(to -> to.name().equals(edge.to()));
    }
}
