package io.orth.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.bench.Findings;
import io.orth.bench.installation.BenchDatabase.Counters;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Beside the median, results have every round. */
@Tag("must-first")
class ScheduleRoundsTest {

    private final Findings findings = new Findings();

    private static Schedules.Trial schedule(long p99Millis) {
        return new Schedules.Trial(
                new Sightings.Verdict(100, 0, 0, 1, p99Millis, p99Millis), new Counters(1, 2, 3, p99Millis * 10), 100);
    }

    private static Journals.Trial busy(long runs) {
        return new Journals.Trial(runs, new Counters(1, 2, 3, 4));
    }

    @Test
    void ofSchedules() {
        List<Schedules.Trial> trials = List.of(schedule(30), schedule(10), schedule(20));

        Schedules.goal(findings, trials);
        Schedules.peer(findings, "quartz", trials, 200);
        Schedules.idle(findings, 1_000, trials);

        assertThat(findings.values())
                .containsEntry("orth.5000.p99Millis", 20L)
                .containsEntry("orth.5000.p99MillisOfAll", List.of(30L, 10L, 20L))
                .containsEntry("quartz.200.p99MillisOfAll", List.of(30L, 10L, 20L))
                .containsEntry("orth.idle1000.databaseMillisPerRun", "2.000")
                .containsEntry("orth.idle1000.databaseMillisPerRunOfAll", List.of("3.000", "1.000", "2.000"));
    }

    @Test
    void ofTheJournal() {
        Journals.costs(
                findings, List.of(busy(80_000), busy(60_000), busy(70_000)), List.of(busy(100_000), busy(80_000)));

        assertThat(findings.values())
                .containsEntry("with.runsPerSecond", 3_500L)
                .containsEntry("with.runsPerSecondOfAll", List.of(4_000L, 3_000L, 3_500L))
                .containsEntry("without.runsPerSecondOfAll", List.of(5_000L, 4_000L));
    }
}
