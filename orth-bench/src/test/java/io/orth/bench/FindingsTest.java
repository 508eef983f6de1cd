package io.orth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FindingsTest {

    private final Findings findings =
            new Findings().note("startMillis", 812, "ms").check("accepted", 10, "runs", "all 10", true);

    private static final Map<String, Object> CONDITIONS = Map.of("cores", 2);

    @Test
    void areATableForPeople() {
        findings.setting("messages", 100);

        assertThat(findings.table(CONDITIONS)).isEqualTo("""
                        cores                            2
                        messages                         100
                        startMillis                               812 ms
                        accepted                                   10 runs   ok    all 10
                        """);
    }

    @Test
    void areOneLineForPrograms() {
        assertThat(findings.json("sleepers", CONDITIONS))
                .contains("\"benchmark\":\"sleepers\"", "\"good\":true", "\"startMillis\":812", "\"accepted\":10")
                .doesNotContain("\n");
    }

    @Test
    @Tag("must-first")
    void containConditionsSettingsAndEveryRound() {
        findings.setting("concurrency", 40).note("perSecondOfAll", List.of(1, 3, 2), "");

        assertThat(findings.json("drain", CONDITIONS))
                .contains(
                        "\"conditions\":{\"cores\":2}",
                        "\"settings\":{\"concurrency\":40}",
                        "\"perSecondOfAll\":[1,3,2]");
        assertThat(Conditions.ofThisRun())
                .containsKeys("java", "os", "cpu", "cores", "memoryMb", "loadAtStart")
                .hasEntrySatisfying(
                        "dbScheduler", version -> assertThat(version.toString()).matches("[0-9.]+"))
                .hasEntrySatisfying(
                        "postgres", version -> assertThat(version.toString()).matches("[0-9.]+"));
    }

    @Test
    void showMissedGoals() {
        findings.check("repeated", 3, "runs", "none", false);

        assertThat(findings.allGood()).isFalse();
        assertThat(findings.table(CONDITIONS)).contains("MISSED  none");
        assertThat(findings.json("sleepers", CONDITIONS)).contains("\"good\":false");
    }
}
