package io.orth.executor.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJob;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.OrthQueue;
import io.orth.executor.QueueMessage;
import io.orth.executor.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("must-executor")
@Timeout(60)
class TestRunTest {

    static class Scheduled {
        @OrthJob(value = "one", job = "${one.name}", cron = "${one.cron}", timeout = "${one.timeout}")
        void one() {
            OrthJobHelper.log("ran");
        }

        @OrthJob(value = "two", job = "${two.name}", fixedRate = "${two.rate}")
        void two() {}
    }

    @Test
    void runsJobDeclaredWithApplicationSettings() {
        assertThat(TestRun.of(new Scheduled(), "one").execute().log()).containsExactly("ran");
    }

    static class Workers {
        @OrthQueue("emails")
        RunResult send(OrthJobContext context) {
            QueueMessage message = context.message().orElseThrow();
            return message.isLastAttempt()
                    ? RunResult.failForGood(context.param())
                    : RunResult.retryAfter(Duration.ofMinutes(1), context.param());
        }
    }

    @Test
    @Tag("must-queues")
    void runsAnAttemptAtAMessage() {
        QueueMessage last = new QueueMessage("emails", 7, 3, 3, Map.of("from", "shop"), Instant.EPOCH);

        assertThat(TestRun.ofQueue(new Workers(), "emails")
                        .param("hi")
                        .execute()
                        .result())
                .isEqualTo(RunResult.retryAfter(Duration.ofMinutes(1), "hi"));
        assertThat(TestRun.ofQueue(new Workers(), "emails")
                        .param("hi")
                        .message(last)
                        .execute()
                        .result())
                .isEqualTo(RunResult.failForGood("hi"));
        assertThatThrownBy(() -> TestRun.ofQueue(new Workers(), "letters"))
                .hasMessageEndingWith("has no @OrthQueue for 'letters', only for [emails]");
    }

    @Test
    void passesConfiguredContextToHandler() {
        AtomicReference<OrthJobContext> seen = new AtomicReference<>();

        FinishedRun run = TestRun.of(context -> {
                    seen.set(context);
                    return RunResult.success("done");
                })
                .jobId(7)
                .logId(8)
                .param("the param")
                .scheduleTime(Instant.parse("2030-01-02T03:04:05Z"))
                .triggerTime(Instant.parse("2030-01-02T03:04:06Z"))
                .shard(1, 2)
                .traceId("trace")
                .execute();

        assertThat(run.result()).isEqualTo(RunResult.success("done"));
        assertThat(run.isSuccess()).isTrue();
        assertThat(seen.get())
                .isEqualTo(new OrthJobContext(
                        7,
                        "the param",
                        8,
                        Instant.parse("2030-01-02T03:04:05Z"),
                        Instant.parse("2030-01-02T03:04:06Z"),
                        1,
                        2,
                        "trace"));
    }

    @Test
    void defaultsToManualTrigger() {
        AtomicReference<OrthJobContext> seen = new AtomicReference<>();

        FinishedRun run = TestRun.of(context -> {
                    seen.set(context);
                    return null;
                })
                .execute();

        assertThat(run).isEqualTo(new FinishedRun(RunResult.success(), ""));
        assertThat(run.log()).isEmpty();
        assertThat(seen.get())
                .isEqualTo(new OrthJobContext(1, "", 1, null, Instant.parse("2030-01-01T12:00:00Z"), 0, 1, null));
    }

    @Test
    void callsAnnotatedMethodWithInitAndDestroy() {
        Jobs jobs = new Jobs();

        FinishedRun run = TestRun.of(jobs, "copy")
                .param("{\"from\": \"a\", \"count\": 2}")
                .execute();

        assertThat(run.log()).containsExactly("copied 1 of a", "copied 2 of a", "in a thread of its own");
        assertThat(run.logText()).matches("(?s)\\d{4}-\\d\\d-\\d\\d .*\\[orth-job-1.*");
        assertThat(run.result()).isEqualTo(RunResult.fail("said so"));
        assertThat(run.isSuccess()).isFalse();
        assertThat(jobs.calls).containsExactly("open", "copy", "shut");
    }

    @Test
    void aParameterThatDoesNotFitFailsTheRun() {
        FinishedRun run =
                TestRun.of(new Jobs(), "copy").param("{\"count\": \"two\"}").execute();

        assertThat(run.result().text()).contains("'count' must be a whole number");
        assertThat(run.log()).singleElement().asString().contains("'count' must be a whole number");
    }

    @Test
    void exceptionFailsTheRunWithItsStack() {
        FinishedRun run = TestRun.of(context -> {
                    throw new IOException("no disk");
                })
                .execute();

        assertThat(run.result().code()).isEqualTo(500);
        assertThat(run.result().text()).startsWith("java.io.IOException: no disk");
        assertThat(run.log()).anyMatch(line -> line.contains("java.io.IOException: no disk"));
    }

    @Test
    void aFailingInitFailsTheRun() {
        FinishedRun run = TestRun.of(new JobHandler() {
                    @Override
                    public void init() {
                        throw new IllegalStateException("cannot open");
                    }

                    @Override
                    public RunResult execute(OrthJobContext context) {
                        return RunResult.success();
                    }
                })
                .execute();

        assertThat(run.result().text()).contains("cannot open");
    }

    @Test
    void cancelsRunOnRequest() {
        CompletableFuture<Void> halfway = new CompletableFuture<>();
        AtomicReference<Boolean> told = new AtomicReference<>();

        FinishedRun run = TestRun.of(context -> {
                    halfway.complete(null);
                    waitForEver();
                    told.set(OrthJobHelper.isCancelled());
                    return RunResult.success();
                })
                .cancelWhen(halfway)
                .execute();

        assertThat(run.result().code()).isEqualTo(500);
        assertThat(run.result().text()).startsWith("cancelled by the test");
        assertThat(told).hasValue(true);
    }

    @Test
    void cancelsRunAfterDelay() {
        FinishedRun run = TestRun.of(context -> {
                    waitForEver();
                    return null;
                })
                .cancelAfter(Duration.ofMillis(50))
                .execute();

        assertThat(run.result().text()).startsWith("cancelled by the test");
    }

    @Test
    void timesOut() {
        FinishedRun run = TestRun.of(context -> {
                    waitForEver();
                    return null;
                })
                .timeout(Duration.ofSeconds(1))
                .execute();

        assertThat(run.result()).isInstanceOf(RunResult.TimedOut.class);
    }

    @Test
    void failsTheTestThatWouldWaitTooLong() {
        CountDownLatch never = new CountDownLatch(1);

        assertThatThrownBy(() -> TestRun.of(context -> {
                            OrthJobHelper.log("got here");
                            never.await();
                            return null;
                        })
                        .patience(Duration.ofSeconds(3))
                        .execute())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("has not ended within PT3S")
                .hasMessageContaining("got here");
    }

    @Test
    void leavesNeitherFilesNorThreadsBehind() throws Exception {
        List<Path> before = temporaryDirectories();

        TestRun.of(new Jobs(), "copy").param("{\"from\": \"a\", \"count\": 2}").execute();

        assertThat(temporaryDirectories()).isEqualTo(before);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("orth-job-"));
    }

    @Test
    void rejectsInvalidRuns() {
        TestRun run = TestRun.of(context -> null);

        assertThatThrownBy(() -> TestRun.of(new Jobs(), "missing"))
                .hasMessage("%s has no @OrthJob named 'missing', only [copy]".formatted(Jobs.class.getName()));
        assertThatThrownBy(() -> run.shard(2, 2)).hasMessage("there is no shard 2 of 2");
        assertThatThrownBy(() -> run.logId(0).execute()).hasMessageContaining("'logId' must be positive");
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Path> temporaryDirectories() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("orth-test-run"))
                    .sorted()
                    .toList();
        }
    }

    record Copy(String from, int count) {}

    static final class Jobs {

        final List<String> calls = new ArrayList<>();

        @OrthJob(value = "copy", init = "open", destroy = "shut")
        RunResult copy(Copy what) throws InterruptedException {
            calls.add("copy");
            for (int i = 1; i <= what.count(); i++) {
                OrthJobHelper.log("copied {} of {}", i, what.from());
            }
            Thread child = new Thread(() -> OrthJobHelper.log("in a thread of its own"));
            child.start();
            child.join();
            return RunResult.fail("said so");
        }

        void open() {
            calls.add("open");
        }

        void shut() {
            calls.add("shut");
        }
    }
}
