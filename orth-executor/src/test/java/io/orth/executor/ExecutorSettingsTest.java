package io.orth.executor;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.JobRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each option takes effect; the default would behave differently in each test. */
@Tag("must-executor")
@Timeout(60)
class ExecutorSettingsTest {

    @TempDir
    Path directory;

    private final CountDownLatch destroyed = new CountDownLatch(1);
    private ExecutorRoom room;
    private OrthExecutor executor;

    @BeforeEach
    void open() {
        room = new ExecutorRoom(directory);
    }

    @AfterEach
    void stop() {
        room.hold.countDown();
        executor.stop(Duration.ofSeconds(5));
        room.admin.close();
    }

    @Test
    void queueCapacity() throws Exception {
        ExecutorClient client = start(room.options().queueCapacity(1));
        client.run(trigger(7, "hold", 1));
        room.holding.await();
        client.run(trigger(7, "hold", 2));

        Reply refused = client.run(trigger(7, "hold", 3));

        assertThat(refused).isEqualTo(Reply.fail("job 7 already has 1 triggers waiting on this executor"));
    }

    /** A thousand short polls: with the usual interval they would take an hour, with the usual number no time at all. */
    @Test
    void pollIntervalAndIdlePolls() throws Exception {
        ExecutorOptions options = room.options()
                .pollInterval(Duration.ofMillis(1))
                .idlePolls(1_000)
                .build();
        HandlerRegistry mortal =
                HandlerRegistry.builder().add("mortal", new Mortal()).build();
        executor = OrthExecutor.create(options, mortal).start();
        long begun = System.nanoTime();

        new ExecutorClient(executor.address()).run(trigger(7, "mortal", 1));

        assertThat(destroyed.await(45, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void interruptGrace() throws Exception {
        ExecutorClient client = start(room.options().interruptGrace(Duration.ofMillis(1)));
        client.run(trigger(7, "stubborn", 1));
        await().until(() -> executor.status().running() == 1);

        client.post(ExecutorPaths.KILL, new JobRequest(7));

        await().atMost(Duration.ofSeconds(9)).until(() -> executor.status().leakedThreads() == 1);
    }

    @Test
    void requestThreads() throws Exception {
        ThreadsThatAsk clock = new ThreadsThatAsk();
        ExecutorClient client = start(room.options().requestThreads(2), clock);

        // Each on a day of its own: the last one is cached, and its zone is not requested again.
        for (int logId = 1; logId <= 5; logId++) {
            long day = Triggers.TRIGGERED_AT + Duration.ofDays(logId).toMillis();
            client.run(TriggerRequest.of(logId, "greet", logId, day).build());
        }

        assertThat(clock.names).contains("orth-request-1", "orth-request-2").doesNotContain("orth-request-3");
    }

    @Test
    void logRetentionDays() throws Exception {
        Clock clock = Clock.fixed(Instant.parse("2030-01-10T12:00:00Z"), ZoneOffset.UTC);
        Path old = Files.createDirectory(directory.resolve("2030-01-06"));
        Path young = Files.createDirectory(directory.resolve("2030-01-07"));

        start(room.options().logRetentionDays(3), clock);

        await().until(() -> Files.notExists(old));
        assertThat(young).exists();
    }

    @Test
    void advertisedAddress() {
        start(room.options().advertisedAddress("http://jobs.example:81/x"));

        assertThat(room.admin.awaitRegistration().address()).isEqualTo("http://jobs.example:81/x/");
        assertThat(executor.address()).isEqualTo(URI.create("http://jobs.example:81/x/"));
    }

    @Test
    void shutdownGrace() throws Exception {
        ExecutorClient client = start(room.options().shutdownGrace(Duration.ZERO));
        client.run(trigger(7, "hold", 1));
        room.holding.await();

        executor.close();

        assertThat(room.admin.awaitCallback(1).handleMsg()).startsWith("java.lang.InterruptedException");
    }

    private ExecutorClient start(ExecutorOptions.Builder options) {
        return start(options, Clock.systemUTC());
    }

    private ExecutorClient start(ExecutorOptions.Builder options, Clock clock) {
        executor = new OrthExecutor(options.build(), room::handlers, GlueInjector.NONE, clock, System::nanoTime);
        executor.start();
        return new ExecutorClient(executor.address());
    }

    private final class Mortal implements JobHandler {

        @Override
        public RunResult execute(OrthJobContext context) {
            return RunResult.success();
        }

        @Override
        public void destroy() {
            destroyed.countDown();
        }
    }

    /**
     * The time, and the caller that requested its zone; a trigger's log file is named on the thread that serves the
     * request.
     */
    private static final class ThreadsThatAsk extends Clock {

        private final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public ZoneId getZone() {
            names.add(Thread.currentThread().getName());
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.parse("2030-01-01T12:00:00Z");
        }
    }
}
