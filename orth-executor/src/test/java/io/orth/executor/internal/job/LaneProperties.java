package io.orth.executor.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.Triggers;
import io.orth.executor.internal.job.TriggerDesk.BusyException;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.TriggerRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Under any concurrency of triggers, repeats, idle removal, kills, covers, timeouts, abandoned threads, changes of concurrency
 * and handler, a closing gate and a stop, every accepted trigger is run once and reported once, or reported once and not run.
 * No rejected trigger is run or reported, and no handler is used outside its init and destroy.
 */
@Tag("must-executor")
@Timeout(120)
class LaneProperties {

    private static final int SENDERS = 3;
    private static final int STEPS = 150;
    private static final int JOBS = 2;
    private static final int MOST_AT_ONCE = 4;

    @TempDir
    Path directory;

    /** Choices of the seed for a whole world. */
    private record Kind(boolean serialOnly, boolean stubborn, boolean gentleStop, Duration poll, int idlePolls) {

        static Kind of(Random random) {
            return new Kind(
                    random.nextInt(3) == 0,
                    random.nextBoolean(),
                    random.nextBoolean(),
                    Duration.ofNanos(1 + random.nextInt(500_000)),
                    random.nextInt(4) - 1);
        }
    }

    static Stream<Long> seeds() {
        return LongStream.rangeClosed(1, 60).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAcceptedTriggerIsRunOnceOrReportedOnce(long seed) throws Exception {
        World world = new World(seed);
        world.live();
        world.check();
    }

    private final class World {

        private final long seed;
        private final Kind kind;
        private final Queue<Long> accepted = new ConcurrentLinkedQueue<>();
        private final Queue<Long> refused = new ConcurrentLinkedQueue<>();
        private final Map<Long, Queue<RunResult>> reported = new ConcurrentHashMap<>();
        private final Map<Long, AtomicInteger> executed = new ConcurrentHashMap<>();
        private final Queue<String> violations = new ConcurrentLinkedQueue<>();
        private final AtomicLong ids = new AtomicLong();
        private final Map<Integer, AtomicInteger> active = new ConcurrentHashMap<>();
        private final List<CheckedHandler> handlers;
        private final RunMemory memory = new RunMemory(100_000);
        private final StartGate gate = new StartGate();
        private final Surroundings surroundings;
        private final JobThreads lanes;

        World(long seed) {
            this.seed = seed;
            this.kind = Kind.of(new Random(seed));
            this.handlers = List.of(new CheckedHandler(), new CheckedHandler());
            RunLogFiles logs = new RunLogFiles(directory, Clock.systemUTC(), 1_000_000);
            // A second of timeout is a tenth of a millisecond here. So is the grace, where handlers need one.
            Watch watch = new FastWatch(new WatchThread(), 10_000);
            this.surroundings = new Surroundings(logs, memory, this::finished, gate, watch);
            Duration grace = kind.stubborn() ? Duration.ofSeconds(1) : Duration.ofDays(1_000);
            this.lanes = new JobThreads(new LaneSettings(kind.poll(), kind.idlePolls(), 5, grace), surroundings);
        }

        void live() throws Exception {
            ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
            List<Future<?>> ends = new ArrayList<>();
            for (int sender = 0; sender < SENDERS; sender++) {
                Random random = new Random(seed * 31 + sender);
                ends.add(senders.submit(() -> {
                    for (int step = 0; step < STEPS; step++) {
                        step(random);
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            senders.shutdown();
            if (kind.gentleStop()) {
                gate.open();
            }
            lanes.stop(kind.gentleStop() ? Duration.ofSeconds(60) : Duration.ZERO);
            gate.open();
        }

        private void step(Random random) {
            int jobId = random.nextInt(JOBS);
            switch (random.nextInt(20)) {
                case 0 -> lanes.kill(jobId, "kill");
                case 1 -> lanes.killRuns(List.of(recent(random), recent(random)), "revoke");
                case 2 -> gate.close();
                case 3, 4 -> gate.open();
                case 5 -> lanes.isIdle(jobId);
                case 6 -> LockSupport.parkNanos(random.nextInt(1_000_000));
                case 7 -> submit(recent(random), jobId, random);
                default -> submit(ids.incrementAndGet(), jobId, random);
            }
        }

        private long recent(Random random) {
            return Math.max(1, ids.get() - random.nextInt(10));
        }

        private void submit(long logId, int jobId, Random random) {
            BlockStrategy[] all = BlockStrategy.values();
            BlockStrategy strategy = all[random.nextInt(kind.serialOnly() ? 3 : 4)];
            TriggerRequest trigger = TriggerRequest.of(jobId, "h", logId, Triggers.TRIGGERED_AT)
                    .blockStrategy(strategy)
                    .concurrency(1 + random.nextInt(MOST_AT_ONCE))
                    .timeoutSeconds(random.nextInt(4))
                    .build();
            JobHandler handler = handlers.get(random.nextInt(10) == 0 ? 1 : 0);
            AtomicInteger offers = new AtomicInteger();
            boolean taken = isTaken(logId, () -> {
                offers.incrementAndGet();
                return lanes.submit(new Work(trigger, handler));
            });
            if (offers.get() == 1) {
                (taken ? accepted : refused).add(logId);
            }
        }

        private boolean isTaken(long logId, Supplier<Optional<String>> offer) {
            try {
                return memory.admit(logId, 1, offer).isEmpty();
            } catch (BusyException e) {
                return false;
            }
        }

        private void finished(OrthJobContext run, RunResult result, Duration took) {
            reported.computeIfAbsent(run.logId(), any -> new ConcurrentLinkedQueue<>())
                    .add(result);
        }

        void check() {
            await().untilAsserted(() -> assertThat(lanes.load()).isEqualTo(new JobThreads.Load(0, 0, 0)));
            await().untilAsserted(
                            () -> assertThat(surroundings.handlers().size()).isZero());
            assertThat(lanes.size()).isZero();
            assertThat(violations).isEmpty();
            assertThat(handlers).allMatch(handler -> handler.initialised.get() == 0);
            assertThat(accepted).doesNotHaveDuplicates().doesNotContainAnyElementsOf(refused);
            assertThat(reported.keySet()).containsExactlyInAnyOrderElementsOf(accepted);
            assertThat(executed.keySet()).isSubsetOf(reported.keySet());
            accepted.forEach(this::checkRun);
        }

        private void checkRun(long logId) {
            int runs = executed.getOrDefault(logId, new AtomicInteger()).get();
            assertThat(reported.get(logId)).as("reports of %d", logId).hasSize(1);
            RunResult result = reported.get(logId).element();
            assertThat(runs).as("executions of %d", logId).isLessThanOrEqualTo(1);
            if (result.code() == 200) {
                assertThat(runs).as("executions of the successful %d", logId).isEqualTo(1);
            }
            if (result.text() != null && result.text().contains("not executed")) {
                assertThat(runs)
                        .as("executions of %d: %s", logId, result.text())
                        .isZero();
            }
            assertThat(memory.known(List.of(logId)))
                    .extracting(Known::state, Known::handleCode)
                    .containsExactly(tuple(State.FINISHED, result.code()));
        }

        /** Notices when it is used wrongly; does by chance what handlers do. */
        private final class CheckedHandler implements JobHandler {

            private final AtomicInteger initialised = new AtomicInteger();

            @Override
            public void init() {
                if (initialised.incrementAndGet() != 1) {
                    violations.add("initialised twice");
                }
            }

            @Override
            public void destroy() {
                if (initialised.decrementAndGet() != 0) {
                    violations.add("destroyed before init");
                }
            }

            @Override
            public RunResult execute(OrthJobContext context) throws Exception {
                executed.computeIfAbsent(context.logId(), any -> new AtomicInteger())
                        .incrementAndGet();
                AtomicInteger ofJob = active.computeIfAbsent(context.jobId(), any -> new AtomicInteger());
                int now = ofJob.incrementAndGet();
                // Abandoned threads continue beside the others, so only stubborn handlers may be too many there.
                if (!kind.stubborn() && now > (kind.serialOnly() ? 1 : MOST_AT_ONCE)) {
                    violations.add(now + " at once");
                }
                try {
                    behave(new Random(seed ^ context.logId()));
                    return RunResult.success();
                } finally {
                    if (initialised.get() != 1) {
                        violations.add("used while it was not initialised");
                    }
                    ofJob.decrementAndGet();
                }
            }

            private void behave(Random random) throws Exception {
                switch (random.nextInt(6)) {
                    case 0 -> throw new IllegalStateException("told to fail");
                    case 1 -> Thread.currentThread().interrupt();
                    case 2 -> LockSupport.parkNanos(random.nextInt(500_000));
                    case 3 -> goOn(kind.stubborn() ? 1_500_000 : 0);
                    default -> {
                        // Ends immediately.
                    }
                }
            }

            /** Ignores every request to stop. */
            private void goOn(long nanos) {
                long end = System.nanoTime() + nanos;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** Time flies. */
    private record FastWatch(Watch watch, int times) implements Watch {

        @Override
        public Timer after(Duration delay, Runnable action) {
            return watch.after(delay.dividedBy(times), action);
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
