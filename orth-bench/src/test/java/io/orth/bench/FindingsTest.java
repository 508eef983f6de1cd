package io.orth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FindingsTest {

    private final Findings findings =
            new Findings().note("startMillis", 812, "ms").check("accepted", 10, "runs", "all 10", true);

    @Test
    void areATableForPeople() {
        assertThat(findings.table()).isEqualTo("""
                        startMillis                               812 ms
                        accepted                                   10 runs   ok    all 10
                        """);
    }

    @Test
    void areOneLineForPrograms() {
        assertThat(findings.json("sleepers"))
                .contains("\"benchmark\":\"sleepers\"", "\"good\":true", "\"startMillis\":812", "\"accepted\":10")
                .doesNotContain("\n");
    }

    @Test
    void aMissedGoalShows() {
        findings.check("repeated", 3, "runs", "none", false);

        assertThat(findings.allGood()).isFalse();
        assertThat(findings.table()).contains("MISSED  none");
        assertThat(findings.json("sleepers")).contains("\"good\":false");
    }
}
