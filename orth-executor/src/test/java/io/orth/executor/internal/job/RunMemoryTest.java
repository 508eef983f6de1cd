package io.orth.executor.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.executor.RunResult;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RunMemoryTest {

    private final RunMemory memory = new RunMemory(2);

    @Test
    @Tag("must-queues")
    void messagesDoNotEvictRuns() {
        memory.admit(1, 1, Optional::empty);
        memory.finished(1, RunResult.success("a run"));

        for (long logId = 2; logId <= 20_001; logId++) {
            memory.admit(logId, 1, Optional::empty);
            memory.finishedMessage(logId, RunResult.success("a message"));
        }

        assertThat(memory.known(List.of(1L))).hasSize(1);
        assertThat(memory.known(List.of(2L))).as("the oldest message").isEmpty();
        assertThat(memory.known(List.of(20_001L)))
                .singleElement()
                .satisfies(known -> assertThat(known.handleMsg()).isNull());
        assertThat(memory.unfinished()).isZero();
    }

    @Test
    void offersARunOnce() {
        AtomicInteger offers = new AtomicInteger();

        for (int i = 0; i < 3; i++) {
            assertThat(memory.admit(1, 1, () -> {
                        offers.incrementAndGet();
                        return Optional.empty();
                    }))
                    .isEmpty();
        }

        assertThat(offers).hasValue(1);
    }

    @Test
    void acceptsRejectedRunWithLaterDispatch() {
        assertThat(memory.admit(1, 1, () -> Optional.of("full"))).contains("full");
        assertThat(memory.known(List.of(1L))).isEmpty();

        assertThat(memory.admit(1, 2, Optional::empty)).isEmpty();
        assertThat(memory.known(List.of(1L))).containsExactly(new Known(1, State.QUEUED));
        assertThat(memory.admit(1, 1, () -> Optional.of("full"))).isEmpty();
    }

    @Test
    void rejectsRunRevokedBeforeItArrived() {
        memory.admit(1, 1, Optional::empty);
        memory.bar(List.of(1L, 2L));

        assertThat(memory.admit(2, 1, Optional::empty)).contains("this run was revoked here");
        assertThat(memory.admit(2, 99, Optional::empty)).contains("this run was revoked here");
        assertThat(memory.admit(1, 1, Optional::empty))
                .as("it was there before")
                .isEmpty();
    }

    @Test
    void countsTheRunsThatHaveNotEnded() {
        memory.admit(1, 1, Optional::empty);
        memory.admit(2, 1, Optional::empty);
        memory.admit(3, 1, () -> Optional.of("full"));
        memory.started(1);
        assertThat(memory.unfinished()).isEqualTo(2);

        for (long run = 1; run <= 5; run++) {
            memory.admit(run, 2, Optional::empty);
            memory.finished(run, RunResult.success());
        }
        assertThat(memory.unfinished()).as("also when the oldest are forgotten").isZero();
    }

    @Test
    void rejectsLateCopyOfRejectedTrigger() {
        memory.admit(1, 3, () -> Optional.of("full"));

        for (int dispatch = 1; dispatch <= 3; dispatch++) {
            assertThat(memory.admit(1, dispatch, Optional::empty))
                    .contains("dispatch 3 of this run was already refused here");
        }
        assertThat(memory.known(List.of(1L))).isEmpty();
        assertThat(memory.admit(2, 1, Optional::empty)).as("another run").isEmpty();
    }

    @Test
    void forgetsOldestRejections() {
        for (long logId = 1; logId <= 3; logId++) {
            memory.admit(logId, 1, () -> Optional.of("full"));
        }

        assertThat(memory.admit(1, 1, Optional::empty)).as("forgotten").isEmpty();
        assertThat(memory.admit(2, 1, Optional::empty)).isPresent();
        assertThat(memory.admit(3, 1, Optional::empty)).isPresent();
    }

    @Test
    void forgetsOfferThatThrows() {
        assertThatThrownBy(() -> memory.admit(1, 1, () -> {
                    throw new OutOfMemoryError("no threads left");
                }))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(memory.known(List.of(1L))).isEmpty();
        assertThat(memory.admit(1, 1, Optional::empty)).as("a late copy").isPresent();
        assertThat(memory.admit(1, 2, Optional::empty)).isEmpty();
    }

    @Test
    @Tag("must-kernel")
    void remembersRetryInstructionsOfFailure() {
        memory.finished(1, RunResult.failForGood("broken"));
        memory.finishedMessage(2, RunResult.failForGood("broken"));
        memory.finishedMessage(3, RunResult.retryAfter(Duration.ofMinutes(1), "busy"));

        assertThat(memory.known(List.of(1L, 2L, 3L)))
                .containsExactly(
                        new Known(1, State.FINISHED, 500, "broken", false, true, null),
                        new Known(2, State.FINISHED, 500, null, false, true, null),
                        new Known(3, State.FINISHED, 500, null, false, false, 60_000L));
    }

    @Test
    void forgetsOldestFinishedRunsOnly() {
        for (long logId = 1; logId <= 6; logId++) {
            memory.admit(logId, 1, Optional::empty);
        }
        memory.started(2);
        for (long logId = 3; logId <= 6; logId++) {
            memory.started(logId);
            memory.finished(logId, RunResult.success("done " + logId));
        }

        assertThat(memory.known(List.of(1L, 2L, 3L, 4L, 5L, 6L)))
                .containsExactly(
                        new Known(1, State.QUEUED),
                        new Known(2, State.RUNNING),
                        new Known(5, State.FINISHED, 200, "done 5"),
                        new Known(6, State.FINISHED, 200, "done 6"));
    }

    @Test
    void reportsProgressOnlyWhileRunning() {
        memory.admit(1, 1, Optional::empty);
        memory.progress(1, 10);
        assertThat(memory.progress(1)).as("waits").isNull();

        memory.started(1);
        memory.progress(1, 20);
        memory.progress(1, 30);
        assertThat(memory.progress(1)).isEqualTo(30);

        memory.finished(1, RunResult.success());
        memory.progress(1, 40);
        assertThat(memory.progress(1)).as("has ended").isNull();
        assertThat(memory.progress(2)).as("never seen").isNull();
    }

    @Test
    void repeatWaitsForOutcomeOfFirstCopy() throws Exception {
        CountDownLatch offering = new CountDownLatch(1);
        CountDownLatch decide = new CountDownLatch(1);
        FutureTask<Optional<String>> first = new FutureTask<>(() -> memory.admit(1, 1, () -> {
            offering.countDown();
            awaitQuietly(decide);
            return Optional.of("full");
        }));
        FutureTask<Optional<String>> repeat = new FutureTask<>(() -> memory.admit(1, 1, Optional::empty));
        new Thread(first).start();
        offering.await();
        Thread repeating = new Thread(repeat);
        repeating.start();
        await().until(() -> repeating.getState() == Thread.State.WAITING);

        decide.countDown();

        assertThat(first.get(30, TimeUnit.SECONDS)).contains("full");
        assertThat(repeat.get(30, TimeUnit.SECONDS)).contains("dispatch 1 of this run was already refused here");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
