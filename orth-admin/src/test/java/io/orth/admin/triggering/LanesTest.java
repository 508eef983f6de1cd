package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.job.JobSpecs;
import io.orth.admin.registry.ExecutorKind;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Lineage;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunAlarm;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.TriggerType;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LanesTest {

    private static final Target A = target(1);
    private static final Target B = target(2);

    /** Tasks of the lanes' threads, run by the test. */
    private final Deque<Runnable> threads = new ArrayDeque<>();

    private final List<String> sent = new ArrayList<>();

    @Test
    void batchesRunsOfferedBeforeThreadStarts() {
        Lanes<Send> lanes = lanes(10, 100);

        lanes.offer(A, sends(1));
        lanes.offer(A, sends(2, 3));

        assertThat(threads).hasSize(1);
        runAll();
        assertThat(sent).containsExactly("A[1, 2, 3]");
    }

    @Test
    void sendsOneBatchPerExecutorAtATime() {
        AtomicReference<Lanes<Send>> lanes = new AtomicReference<>();
        lanes.set(new Lanes<>(threads::add, 10, 100, LanesTest::characters, (target, batch) -> {
            note(target, batch);
            if (sent.size() == 1) {
                lanes.get().offer(A, sends(2));
                assertThat(threads).as("no second batch is under way beside it").isEmpty();
            }
        }));

        lanes.get().offer(A, sends(1));
        runAll();

        assertThat(sent).containsExactly("A[1]", "A[2]");
    }

    @Test
    void hasOneLanePerExecutor() {
        Lanes<Send> lanes = lanes(10, 100);
        lanes.offer(A, sends(1));
        lanes.offer(B, sends(2));

        threads.removeLast().run();

        assertThat(sent).as("A's thread has not even begun").containsExactly("B[2]");
    }

    @Test
    @Tag("must-first")
    void laneWithMoreRunsQueuesBehindOthers() {
        Lanes<Send> lanes = lanes(1, 100);
        lanes.offer(A, sends(1, 2));
        lanes.offer(B, sends(3));

        runAll();

        assertThat(sent).containsExactly("A[1]", "B[3]", "A[2]");
    }

    @Test
    void laneKeepsItsThreadIfPoolRejects() {
        Lanes<Send> lanes = new Lanes<>(
                work -> {
                    if (!sent.isEmpty()) {
                        throw new RejectedExecutionException("the node stops");
                    }
                    threads.add(work);
                },
                1,
                100,
                LanesTest::characters,
                this::note);
        lanes.offer(A, sends(1, 2));

        runAll();

        assertThat(sent).containsExactly("A[1]", "A[2]");
    }

    @Test
    void limitsBatchSize() {
        Lanes<Send> lanes = lanes(2, 100);

        lanes.offer(A, sends(1, 2, 3, 4, 5));
        runAll();

        assertThat(sent).containsExactly("A[1, 2]", "A[3, 4]", "A[5]");
    }

    @Test
    void rejectsOfferBeyondCapacityAsWhole() {
        Lanes<Send> lanes = lanes(10, 3);
        lanes.offer(A, sends(1, 2));

        assertThat(lanes.offer(B, sends(3, 4))).isFalse();
        assertThat(lanes.offer(B, sends(5))).isTrue();
        runAll();

        assertThat(sent).containsExactly("A[1, 2]", "B[5]");
        assertThat(lanes.offer(B, sends(6, 7, 8))).as("there is room again").isTrue();
    }

    @Test
    void reopensFinishedLane() {
        Lanes<Send> lanes = lanes(10, 100);
        lanes.offer(A, sends(1));
        runAll();

        lanes.offer(A, sends(2));
        runAll();

        assertThat(sent).containsExactly("A[1]", "A[2]");
    }

    @Test
    void rejectsOfferWithoutThread() {
        Lanes<Send> full = new Lanes<>(
                work -> {
                    throw new RejectedExecutionException("the node stops");
                },
                10,
                100,
                LanesTest::characters,
                this::note);

        assertThat(full.offer(A, sends(1))).isFalse();
        assertThat(full.offer(A, sends(2))).isFalse();
    }

    @Test
    void concurrentOffersLoseNothingAndKeepOneBatchPerExecutor() throws Exception {
        int offers = 400;
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Queue<Long> taken = new ConcurrentLinkedQueue<>();
        Queue<Long> arrived = new ConcurrentLinkedQueue<>();
        CountDownLatch offered = new CountDownLatch(offers);
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            Lanes<Send> lanes = new Lanes<>(pool, 100, 10_000, LanesTest::characters, (target, batch) -> {
                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                batch.forEach(send -> arrived.add(send.run().id()));
                underWay.decrementAndGet();
            });
            for (long id = 1; id <= offers; id++) {
                long runId = id;
                pool.execute(() -> {
                    if (lanes.offer(A, sends(runId))) {
                        taken.add(runId);
                    }
                    offered.countDown();
                });
            }

            assertThat(offered.await(20, TimeUnit.SECONDS)).isTrue();
            await().until(() -> arrived.size() == taken.size());
        } finally {
            pool.shutdownNow();
        }
        assertThat(taken).hasSizeGreaterThan(100);
        assertThat(arrived).containsExactlyInAnyOrderElementsOf(taken);
        assertThat(most).hasValue(1);
    }

    @Test
    void slowExecutorLeavesCapacityToOthers() {
        Lanes<Send> lanes = lanes(2, 5);
        lanes.offer(A, sends(1, 2, 3));

        assertThat(lanes.offer(A, sends(4)))
                .as("it has more waiting than there is room left")
                .isFalse();
        assertThat(lanes.offer(B, sends(5))).isTrue();
    }

    @Test
    void singleExecutorMayFillHalfOfCapacity() {
        Lanes<Send> lanes = lanes(2, 100);
        lanes.offer(A, sends(LongStream.rangeClosed(1, 49).toArray()));

        assertThat(lanes.offer(A, sends(50))).isTrue();
        assertThat(lanes.offer(A, sends(51))).isTrue();
        assertThat(lanes.offer(A, sends(52))).isFalse();
    }

    @Test
    void limitsBatchByParameterSize() {
        Lanes<Send> lanes = lanes(100, 1_000);
        lanes.offer(A, List.of(sendOf("x".repeat(400_000)), sendOf("x".repeat(400_000)), sendOf("x")));

        runAll();

        assertThat(sent).hasSize(2);
    }

    @Test
    void failedBatchDoesNotEndLane() {
        Lanes<Send> lanes = new Lanes<>(threads::add, 1, 100, LanesTest::characters, (target, batch) -> {
            note(target, batch);
            throw new OutOfMemoryError("for the test");
        });
        lanes.offer(A, sends(1, 2));

        runAll();
        lanes.offer(A, sends(3));
        runAll();

        assertThat(sent).hasSize(3);
    }

    private Lanes<Send> lanes(int batchSize, int capacity) {
        return new Lanes<>(threads::add, batchSize, capacity, LanesTest::characters, this::note);
    }

    private static long characters(Send send) {
        return send.run().param().length();
    }

    private void note(Target target, List<Send> batch) {
        sent.add(target.instanceId()
                + batch.stream().map(send -> send.run().id()).toList());
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.removeFirst().run();
        }
    }

    private static Send sendOf(String param) {
        return Send.of(run(1, param));
    }

    private static List<Send> sends(long... ids) {
        return LongStream.of(ids).mapToObj(id -> Send.of(run(id, ""))).toList();
    }

    private static Target target(long id) {
        return new Target(id, id == 1 ? "A" : "B", 1, "http://127.0.0.1:" + id, "token", true, ExecutorKind.ORTH);
    }

    private static Run run(long id, String param) {
        return new Run(
                id,
                1,
                "job",
                1,
                "handler",
                param,
                TriggerType.MANUAL,
                null,
                Instant.EPOCH,
                RunStatus.INIT,
                RunCause.CREATED,
                0,
                null,
                0,
                null,
                0,
                null,
                null,
                null,
                null,
                null,
                JobSpecs.PLAIN,
                null,
                null,
                Route.DEFAULT,
                Lineage.FIRST,
                null,
                RunAlarm.UNDECIDED,
                false);
    }
}
