package io.orth.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.RunResult;
import io.orth.executor.test.FinishedRun;
import io.orth.executor.test.TestRun;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Jobs are tested without Spring, admin or network. */
class ReportJobsTest {

    @Test
    void greetsPersonNamedByParameter() {
        assertThat(TestRun.of(new ReportJobs(), "hello").param("Orth").execute().log())
                .containsExactly("hello, Orth");
        assertThat(TestRun.of(new ReportJobs(), "hello").execute().log()).containsExactly("hello, world");
    }

    @Test
    void reportsDayBeforeScheduleTimeEvenWhenLate() {
        FinishedRun run = TestRun.of(new ReportJobs(), "daily-report")
                .scheduleTime(Instant.parse("2030-01-02T00:00:00Z"))
                .triggerTime(Instant.parse("2030-01-05T09:00:00Z"))
                .shard(1, 2)
                .execute();

        assertThat(run.result()).isEqualTo(RunResult.success("report of 2030-01-01 is done"));
        assertThat(run.log()).containsExactly("making the report of 2030-01-01, part 2 of 2");
    }
}
