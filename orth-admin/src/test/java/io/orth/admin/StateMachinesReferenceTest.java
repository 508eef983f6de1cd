package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.StateMachines.Edge;
import io.orth.admin.StateMachines.State;
import io.orth.admin.TransitionScenarios.Scenario;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import io.orth.admin.run.RunAlarm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about state machines is drawn from the code. */
class StateMachinesReferenceTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "state-machines.md");
    private static final Path DRAWN = Path.of("target", "state-machines.md");

    private static final String HEAD = """
            # State machines

            What has a state, which states there are, and why one follows another: drawn from the code, in which there is one table for each
            kind, by a test that fails when this page says something else. Each edge is told of as a [transition](../guides/transitions.md), with
            one of the causes below. A correction is an edge out of a state that was a verdict and turned out wrong: a run judged lost whose own
            result comes after all.

            No state waits for ever. Each that is not final has what ends it if nothing else does: a background loop that goes by the age of the
            row and by what executors say, not by whether the owner of the row looks dead. A test plants each of these states and sees it end.
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

    /** Transitions do not tell of it, so it has no causes. */
    private static String runAlarms() {
        RunAlarm[] states = RunAlarm.values();
        List<String> lines =
                diagram(StateMachines.RUN_ALARM, states, StateMachines.edges(EntityKind.RUN, states), edge -> "");
        lines.add("");
        lines.add(
                "It is not journalled: the transitions of the alarms that name the run tell of it. FAILED to SENT is a correction.");
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
