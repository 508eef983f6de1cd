package io.orth.executor.internal.job;

import static io.orth.executor.internal.job.TestLanes.GRACE;
import static io.orth.executor.internal.job.TestLanes.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ending a job's runs, or single ones, from outside. */
@Tag("must-executor")
@Timeout(60)
class KillTest {

    @TempDir
    Path directory;

    private final HeldHandler handler = HeldHandler.cooperative();

    @Test
    void killsAndReportsRunningAndQueuedRuns() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.serial(handler, 1);
        test.serial(handler, 2);
        handler.awaitBegun(1);

        assertThat(test.lanes.kill(JOB, "scheduling center kill job.")).isTrue();

        assertThat(test.results)
                .containsExactly(
                        "1:500 scheduling center kill job. [job running, killed]",
                        "2:500 scheduling center kill job. [job not executed, in the job queue, killed.]");
        assertThat(directory.resolve("2030-01-01/1.log"))
                .content()
                .containsOnlyOnce("] killed: scheduling center kill job.\n");
        assertThat(directory.resolve("2030-01-01/2.log"))
                .as("of a run that never began")
                .doesNotExist();
        await().until(() -> test.lanes.size() == 0);
        assertThat(handler.cancelled).containsExactly(1L);
        assertThat(test.lanes.kill(JOB, "again")).as("no lane any more").isFalse();
        test.stop();
        assertThat(test.results).hasSize(2);
    }

    @Test
    void endsEveryWorkerOfAConcurrentJob() throws Exception {
        TestLanes test = TestLanes.in(directory);
        for (int logId = 1; logId <= 5; logId++) {
            test.concurrent(handler, logId, 3);
        }
        handler.awaitBegun(3);

        test.lanes.kill(JOB, "stop it");

        assertThat(test.results)
                .containsExactlyInAnyOrder(
                        "1:500 stop it [job running, killed]",
                        "2:500 stop it [job running, killed]",
                        "3:500 stop it [job running, killed]",
                        "4:500 stop it [job not executed, in the job queue, killed.]",
                        "5:500 stop it [job not executed, in the job queue, killed.]");
        await().until(() -> handler.events.contains("destroy"));
        test.stop();
    }

    @Test
    void endsAnIdleLaneAndDestroysItsHandler() throws Exception {
        TestLanes test = TestLanes.in(directory);
        handler.release(1);
        test.serial(handler, 1);
        await().until(() -> test.lanes.isIdle(JOB));

        assertThat(test.lanes.kill(JOB, "stop it")).isTrue();

        await().until(() -> handler.events.contains("destroy"));
        assertThat(test.lanes.size()).isZero();
        assertThat(test.results).containsExactly("1:200 run 1");
    }

    @Test
    void ofSingleRunsLeavesTheOthersAlone() throws Exception {
        TestLanes test = TestLanes.in(directory);
        for (int logId = 1; logId <= 4; logId++) {
            test.serial(handler, logId);
        }
        handler.awaitBegun(1);

        test.lanes.killRuns(List.of(1L, 3L, 99L), "killed by ann");
        handler.release(2, 4);
        test.stop();

        assertThat(test.results)
                .containsExactly(
                        "1:500 killed by ann [job running, killed]",
                        "3:500 killed by ann [job not executed, in the job queue, killed.]",
                        "2:200 run 2",
                        "4:200 run 4");
        assertThat(handler.events).as("the same thread goes on").containsExactly("init orth-job-7", "destroy");
    }

    @Test
    void ofOneWorkerLeavesTheOtherWorkersAlone() throws Exception {
        TestLanes test = TestLanes.in(directory);
        for (int logId = 1; logId <= 3; logId++) {
            test.concurrent(handler, logId, 3);
        }
        handler.awaitBegun(3);

        test.lanes.killRuns(List.of(2L), "killed by ann");
        handler.release(1, 3);
        test.stop();

        assertThat(test.results)
                .containsExactlyInAnyOrder("2:500 killed by ann [job running, killed]", "1:200 run 1", "3:200 run 3");
        assertThat(handler.interrupted).containsExactly(2L);
    }

    @Test
    void ofARunThatHasEndedDoesNothing() throws Exception {
        TestLanes test = TestLanes.in(directory);
        handler.release(1);
        test.serial(handler, 1);
        await().until(() -> test.lanes.isIdle(JOB));

        test.lanes.killRuns(List.of(1L), "late");
        test.stop();

        assertThat(test.results).containsExactly("1:200 run 1");
    }

    @Test
    void uncooperativeHandlerBlocksJobForGraceThenIsLeaked() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler stubborn = HeldHandler.stubborn();
        stubborn.release(2);
        test.serial(stubborn, 1);
        stubborn.awaitBegun(1);

        test.lanes.kill(JOB, "stop it");
        test.serial(stubborn, 2);
        await().until(() -> !stubborn.interrupted.isEmpty());
        assertThat(test.lanes.isIdle(JOB)).isFalse();
        test.watch.advance(GRACE.minusMillis(1));
        assertThat(test.lanes.load()).isEqualTo(new JobThreads.Load(1, 1, 0));

        test.watch.advance(Duration.ofMillis(1));
        await().until(() -> test.results.size() == 2);
        await().until(() -> test.lanes.load().equals(new JobThreads.Load(0, 0, 1)));

        stubborn.release(1);
        await().until(() -> test.lanes.load().leakedThreads() == 0);
        assertThat(test.results).containsExactly("1:500 stop it [job running, killed]", "2:200 run 2");
        test.stop();
        await().until(() -> stubborn.events.contains("destroy"));
        assertThat(stubborn.events).as("never destroyed under a run").hasSize(2);
    }

    @Test
    void killsRunsWaitingAtClosedGate() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.gate.close();
        test.serial(handler, 1);
        test.serial(handler, 2);

        test.lanes.killRuns(List.of(1L), "revoked");
        test.lanes.kill(JOB, "stop it");

        assertThat(test.results)
                .containsExactly(
                        "1:500 revoked [job not executed, in the job queue, killed.]",
                        "2:500 stop it [job not executed, in the job queue, killed.]");
        await().until(() -> test.lanes.size() == 0);
        test.stop();
        assertThat(handler.started).isEmpty();
    }

    @Test
    void wakesThreadAtClosedGateToDestroyHandler() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.serial(handler, 1);
        handler.awaitBegun(1);
        test.gate.close();
        test.serial(handler, 2);
        handler.release(1);
        await().until(() -> Stream.of(handler.lastThread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(StartGate.class.getName())
                        && frame.getMethodName().equals("pass")));

        test.lanes.kill(JOB, "stop it");

        await().until(() -> handler.events.contains("destroy"));
        assertThat(handler.started).containsExactly(1L);
    }

    @Test
    void startsNothingAtClosedGateAndReportsQueuedOnStop() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.gate.close();
        test.serial(handler, 1);
        test.concurrent(handler, 2, 3);

        test.lanes.stop(Duration.ofMillis(1));

        assertThat(handler.started).isEmpty();
        assertThat(test.results)
                .containsExactly("1:500 not executed: executor stopped", "2:500 not executed: executor stopped");
    }

    @Test
    void runsQueuedWorkInOrderOnceGateOpens() throws Exception {
        TestLanes test = TestLanes.in(directory);
        handler.release(1, 2, 3);
        test.gate.close();
        test.serial(handler, 1);
        test.serial(handler, 2);
        test.serial(handler, 3);
        test.lanes.killRuns(List.of(2L), "revoked");

        test.gate.open();
        test.stop();

        assertThat(handler.started).containsExactly(1L, 3L);
    }
}
