package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.keyOf;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.TestFaults;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.runtime.Duty;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two dispatchers, two reconcilers and two executors, all interrupted repeatedly: exactly the expected tasks exist and complete. */
@Tag("must-pipelines")
@Timeout(120)
class PipelineCutsDbTest {

    private static final int COURSES = 20;
    private static final int CHAPTERS = 100;
    private static final List<String> POINTS = List.of(
            FaultPoints.OUTBOX_BEFORE_COMMIT, FaultPoints.PIPELINE_IN_FAN_OUT, FaultPoints.PIPELINE_AFTER_CLAIM);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    /** Each attempt at each task that a handler saw. */
    private final Set<List<Long>> seen = ConcurrentHashMap.newKeySet();

    private final AtomicInteger handled = new AtomicInteger();

    @AfterEach
    void letGo() {
        TestFaults.clear();
    }

    @Test
    void completesExpectedTasksOnceDespiteCrashes() {
        AdminFixture admin = AdminFixture.onEmptied(db);
        PipelineFixture given = admin.pipelines;
        List<Target> executors = List.of(
                admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9991"),
                admin.executor(admin.groups.get(1), "two", "http://127.0.0.1:9992"));
        given.define("books", "courses", "chapters", "topics");
        long run = given.submit(
                "books", IntStream.range(0, COURSES).mapToObj(i -> "c" + i).toArray(String[]::new));
        Random random = new Random(7);
        POINTS.forEach(point -> TestFaults.at(point, () -> {
            boolean cut;
            synchronized (random) {
                cut = random.nextInt(4) == 0;
            }
            if (cut) {
                cuts.incrementAndGet();
                throw new TestFaults.Died(point);
            }
        }));

        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            Stream<Runnable> work = Stream.of(
                    () -> duty(given.dispatcher),
                    () -> duty(given.dispatcher),
                    () -> reconcile(admin),
                    () -> reconcile(admin),
                    () -> execute(admin, executors.get(0)),
                    () -> execute(admin, executors.get(1)));
            List<CompletableFuture<Void>> all = work.map(one -> CompletableFuture.runAsync(() -> again(one), threads))
                    .toList();
            while (given.statusOf(run).isOpen() && all.stream().noneMatch(CompletableFuture::isDone)) {
                admin.lease.run();
            }
            over.set(true);
            all.forEach(CompletableFuture::join);
        } finally {
            over.set(true);
            threads.shutdownNow();
        }

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(cuts).hasPositiveValue();
        assertThat(given.tasksOf(run, 0)).hasSize(COURSES).allMatch(task -> task.endsWith("COMPLETED"));
        assertThat(given.tasksOf(run, 1)).hasSize(CHAPTERS).allMatch(task -> task.endsWith("COMPLETED"));
        assertThat(given.tasksOf(run, 2)).hasSize(CHAPTERS).allMatch(task -> task.endsWith("COMPLETED"));
        assertThat(seen).hasSize(handled.get());
    }

    private void again(Runnable work) {
        while (!over.get()) {
            try {
                work.run();
            } catch (TestFaults.Died e) {
                // Restarted by the loop.
            }
        }
    }

    private static void duty(Duty duty) {
        try {
            duty.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void reconcile(AdminFixture admin) {
        admin.jdbc
                .sql(
                        "update orth_pipeline_run set look_at = clock_timestamp() where not settled and look_at > clock_timestamp()")
                .update();
        duty(admin.pipelines.reconciler);
    }

    /** Handles the claimed messages; an interrupted claim has claimed nothing. */
    private void execute(AdminFixture admin, Target executor) {
        for (String stage : List.of("courses", "chapters", "topics")) {
            if (admin.queues.queues.find("q." + stage).isEmpty()) {
                continue;
            }
            for (ClaimedMessage message : admin.pipelines.receive(stage, executor, 10)) {
                TaskKey key = keyOf(message);
                seen.add(List.of(key.taskId(), (long) key.attempt()));
                handled.incrementAndGet();
                admin.pipelines.finish(executor, result(stage, message, key));
            }
        }
    }

    /** Courses have overlapping chapters, some first attempts fail, and each chapter has one topic. */
    private static TaskResult result(String stage, ClaimedMessage message, TaskKey key) {
        if (key.attempt() == 1 && key.taskId() % 5 == 0) {
            return failed(key);
        }
        return switch (stage) {
            case "courses" -> {
                int course = Integer.parseInt(message.task().targetId().substring(1));
                yield ok(
                        key,
                        IntStream.range(0, 10)
                                .mapToObj(i -> "h" + (course * 5 + i) % CHAPTERS)
                                .toArray(String[]::new));
            }
            case "chapters" -> ok(key, "t" + message.task().targetId());
            default -> ok(key);
        };
    }
}
