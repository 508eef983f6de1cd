package io.orth.executor.internal.job;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLogFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour visible only on a single lane: other tests use a map, which a closed lane has left. */
@Tag("must-executor")
@Timeout(60)
class LaneTest {

    @TempDir
    Path directory;

    /** Were it to take one, the job would have two lanes, and its runs would not be one at a time. */
    @Test
    void rejectsTriggersOnceClosed() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Surroundings surroundings = new Surroundings(
                new RunLogFiles(directory, Clock.systemUTC(), 1_000_000),
                new RunMemory(10),
                (run, result, took) -> {},
                new StartGate(),
                new ManualWatch());
        LaneSettings settings = new LaneSettings(TestLanes.NEVER, 30, 10, TestLanes.GRACE);
        Lane lane = new Lane("job-7", settings, surroundings, any -> closed.countDown());
        assertThat(lane.offer(run(1)).offer()).isEqualTo(Lane.Offer.TAKEN);

        lane.drain();
        closed.await();

        assertThat(lane.offer(run(2)).offer()).isEqualTo(Lane.Offer.CLOSED);
    }

    private static Run run(long logId) {
        return new Run(new Work(trigger(7, "h", logId), context -> RunResult.success()));
    }
}
