package io.orth.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.bench.Findings;
import io.orth.bench.installation.BenchDatabase.Counters;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Beside the median, results have every round; and a goal that one round misses is missed. */
@Tag("must-first")
class QueueRoundsTest {

    private static final Counters COST = new Counters(10, 20, 3_000, 40);

    private final Findings findings = new Findings();

    private static FanOuts.Trial fanOut(double tasksPerSecond, long requests) {
        return new FanOuts.Trial(20_000, tasksPerSecond, COST, requests, new FanOuts.Send(0.1, tasksPerSecond / 1e4));
    }

    private static Drains.Trial drain(double perSecond, double relayedAfterSeconds) {
        return new Drains.Trial(1_000, perSecond, perSecond + 1_000, relayedAfterSeconds, COST);
    }

    @Test
    void ofAPipeline() {
        FanOuts.report(findings, List.of(fanOut(9_000, 7), fanOut(12_000, 9), fanOut(10_000, 8)));

        assertThat(findings.values())
                .containsEntry("pipeline.perSecond", 10_000L)
                .containsEntry("pipeline.perSecondOfAll", List.of(9_000L, 12_000L, 10_000L))
                .containsEntry("queue.perSecondOfAll", List.of(20_000L, 20_000L, 20_000L))
                .containsEntry("pipeline.requestsOfAll", List.of(7L, 9L, 8L))
                .containsEntry("outboxSend.p99OfAll", List.of("0.90", "1.20", "1.00"));
        assertThat(findings.missed()).isEmpty();
    }

    @Test
    void aPipelineThatIsSlowMissesItsGoal() {
        FanOuts.report(findings, List.of(fanOut(7_999, 7)));

        assertThat(findings.missed()).containsExactly("pipeline.perSecond");
    }

    @Test
    void extraRequestsPerTaskMissTheGoal() {
        FanOuts.report(findings, List.of(fanOut(9_000, 7), fanOut(9_000, 210_000), fanOut(9_000, 8)));

        assertThat(findings.missed()).containsExactly("pipeline.requestsPerTask");
    }

    @Test
    void ofADrainedQueue() {
        Drains.report(findings, "orth", List.of(drain(20_000, 0.5), drain(25_000, 10), drain(21_000, 0.25)));

        assertThat(findings.values())
                .containsEntry("orth.perSecond", 21_000L)
                .containsEntry("orth.perSecondOfAll", List.of(20_000L, 25_000L, 21_000L))
                .containsEntry("orth.drainedPerSecondOfAll", List.of(21_000L, 26_000L, 22_000L))
                .containsEntry("orth.relayedAfterSecondsOfAll", List.of("0.50", "10.00", "0.25"));
        assertThat(findings.missed()).isEmpty();
    }

    @Test
    void relayBehindForTenSecondsMissesItsGoal() {
        Drains.report(findings, "orth", List.of(drain(20_000, 0.5), drain(25_000, 10.1), drain(21_000, 0.25)));

        assertThat(findings.missed()).containsExactly("orth.relayedAfterSeconds");
    }

    @Test
    void ofLatencies() {
        Latencies.report(
                findings,
                List.of(
                        new StartTimes(new long[] {1_000, 9_000}),
                        new StartTimes(new long[] {2_000, 3_000}),
                        new StartTimes(new long[] {2_000, 4_000})));

        assertThat(findings.values())
                .containsEntry("startMillis.p99", "4.00")
                .containsEntry("startMillis.p99OfAll", List.of("9.00", "3.00", "4.00"))
                .containsEntry("startMillis.medianOfAll", List.of("9.00", "3.00", "4.00"));
    }
}
