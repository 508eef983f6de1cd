package io.orth.admin.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.Codes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RunStatusTest {

    private static final Path DIAGRAM = Path.of("src/main/java/io/orth/admin/run/package-info.java");

    /** A second copy of the state machine, so that a change needs two edits. */
    private static final Set<String> EDGES = Set.of(
            "INIT->PENDING",
            "INIT->TRIGGER_FAILED",
            "INIT->SKIPPED",
            "PENDING->SUCCESS",
            "PENDING->FAILED",
            "PENDING->TIMEOUT");

    private static final Set<String> CORRECTIONS = Set.of("FAILED->SUCCESS", "FAILED->FAILED", "FAILED->TIMEOUT");

    record Pair(RunStatus from, RunStatus to) {

        @Override
        public String toString() {
            return from + "->" + to;
        }
    }

    static List<Pair> pairs() {
        return Arrays.stream(RunStatus.values())
                .flatMap(from -> Arrays.stream(RunStatus.values()).map(to -> new Pair(from, to)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void allowsOnlyTransitionsOfTable(Pair pair) {
        assertThat(pair.from().next().contains(pair.to())).isEqualTo(EDGES.contains(pair.toString()));
        assertThat(pair.from().corrections().contains(pair.to())).isEqualTo(CORRECTIONS.contains(pair.toString()));
    }

    @Test
    void everyStatusIsReachable() {
        Set<RunStatus> reached = EnumSet.of(RunStatus.INIT);
        for (int step = 0; step < RunStatus.values().length; step++) {
            EnumSet.copyOf(reached).forEach(status -> reached.addAll(status.next()));
        }

        assertThat(reached).containsExactlyInAnyOrder(RunStatus.values());
    }

    @Test
    void terminalStatusesAreTheResults() {
        assertThat(RunStatus.values())
                .filteredOn(RunStatus::isTerminal)
                .containsExactly(
                        RunStatus.SUCCESS,
                        RunStatus.FAILED,
                        RunStatus.TIMEOUT,
                        RunStatus.TRIGGER_FAILED,
                        RunStatus.SKIPPED);
    }

    @ParameterizedTest
    @CsvSource({"200, SUCCESS", "502, TIMEOUT", "500, FAILED", "1, FAILED", "404, FAILED"})
    void resultCodeDeterminesStatus(int code, RunStatus status) {
        assertThat(RunStatus.ofResult(code)).isEqualTo(status);
    }

    @Test
    void diagramShowsEveryStatusWithItsCodes() throws IOException {
        String diagram = Files.readString(DIAGRAM);

        assertThat(diagram)
                .contains("INIT 0/0 ──accepted──► PENDING 200/0 ──► SUCCESS %d/%d"
                        .formatted(Codes.SUCCESS, Codes.SUCCESS))
                .contains("├──► FAILED  200/other")
                .contains("└──► TIMEOUT 200/" + Codes.TIMEOUT)
                .contains("├──job busy───────► SKIPPED %d/0".formatted(Codes.BUSY))
                .contains("└──no executor──► TRIGGER_FAILED other/0");
        long arrows = diagram.chars().filter(c -> c == '►').count();
        assertThat(arrows).isEqualTo(EDGES.size());
    }
}
