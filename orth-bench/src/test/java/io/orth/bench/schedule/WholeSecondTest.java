package io.orth.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-first")
class WholeSecondTest {

    private final WholeSecond schedule = new WholeSecond();

    @Test
    void firesOnTheNextWholeSecond() {
        assertThat(schedule.getInitialExecutionTime(Instant.parse("2030-01-01T10:00:00.317Z")))
                .isEqualTo("2030-01-01T10:00:01Z");
    }

    /** A task that was late, and done even later, fires for every second all the same. */
    @Test
    void lateFiresNeitherDriftNorLeaveASecondOut() {
        Instant due = Instant.parse("2030-01-01T10:00:00Z");
        Instant begun = Instant.parse("2030-01-01T10:00:02.317Z");
        Execution execution = new Execution(due, new TaskInstance<>("job", "1"));

        assertThat(schedule.getNextExecutionTime(ExecutionComplete.success(execution, begun, begun.plusMillis(5))))
                .isEqualTo("2030-01-01T10:00:01Z");
    }
}
