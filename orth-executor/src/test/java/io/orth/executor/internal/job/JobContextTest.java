package io.orth.executor.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import io.orth.runtime.Threads;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Context propagation: the data and reports available to a handler and its threads. */
@Tag("must-executor")
@Timeout(60)
class JobContextTest {

    private static final OrthJobContext EXPECTED = new OrthJobContext(
            7,
            "p",
            1,
            Instant.parse("2030-01-01T11:59:59.995Z"),
            Instant.parse("2030-01-01T12:00:00Z"),
            2,
            5,
            "trace-1");

    @TempDir
    Path directory;

    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private final List<Object> seen = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void startThePoolOutsideAnyRun() throws Exception {
        pool.submit(() -> {}).get();
    }

    @AfterEach
    void stopThePool() {
        pool.shutdownNow();
    }

    @Test
    void helperExposesWholeContext() throws Exception {
        run(context -> {
            seen.add(context);
            seen.addAll(List.of(
                    OrthJobHelper.getJobId(),
                    OrthJobHelper.getJobParam(),
                    OrthJobHelper.getLogId(),
                    OrthJobHelper.getScheduleTime(),
                    OrthJobHelper.getTriggerTime(),
                    OrthJobHelper.getShardIndex(),
                    OrthJobHelper.getShardTotal(),
                    OrthJobHelper.getTraceId(),
                    OrthJobHelper.isCancelled()));
            return null;
        });

        assertThat(seen)
                .containsExactly(
                        EXPECTED, 7, "p", 1L, EXPECTED.scheduleTime(), EXPECTED.triggerTime(), 2, 5, "trace-1", false);
    }

    @Test
    void outsideARunTheHelperIsNeutral() {
        OrthJobHelper.log("nowhere");
        OrthJobHelper.progress(50);
        OrthJobHelper.handleFail("nobody");

        assertThat(OrthJobContext.current()).isEmpty();
        assertThat(OrthJobHelper.getJobParam()).isNull();
        assertThat(OrthJobHelper.getTriggerTime()).isNull();
        assertThat(OrthJobHelper.getTraceId()).isNull();
        assertThat(OrthJobHelper.isCancelled()).isFalse();
    }

    @Test
    void platformAndVirtualThreadsInheritIt() throws Exception {
        run(context -> {
            Thread platform = new Thread(this::look);
            platform.start();
            platform.join();
            Thread virtualWherePossible = Threads.worker("child", this::look);
            virtualWherePossible.start();
            virtualWherePossible.join();
            return null;
        });

        assertThat(seen).containsExactly(EXPECTED, EXPECTED);
    }

    @Test
    void poolsGetItByWrappingTasksOrThePool() throws Exception {
        run(context -> {
            pool.submit(OrthJobHelper.wrap(this::look)).get();
            Callable<Object> asks = () -> OrthJobContext.current().orElse(null);
            seen.add(pool.submit(OrthJobHelper.wrap(asks)).get());
            CompletableFuture.runAsync(this::look, OrthJobHelper.wrap(pool)).get();
            pool.submit(this::look).get();
            return null;
        });

        assertThat(seen).containsExactly(EXPECTED, EXPECTED, EXPECTED, "nothing");
    }

    @Test
    void wrappedPoolCarriesRunOfTheSubmitter() throws Exception {
        var shared = OrthJobHelper.wrap(pool);

        run(context -> {
            CompletableFuture.runAsync(this::look, shared).get();
            return null;
        });

        assertThat(seen).containsExactly(EXPECTED);
    }

    @Test
    void logAndProgressAreInTheRunsLog() throws Exception {
        run(context -> {
            OrthJobHelper.log("{} of {}", 1, 2);
            OrthJobHelper.log("broken", new IllegalStateException("why"));
            OrthJobHelper.log(new IllegalStateException("alone"));
            OrthJobHelper.progress(40);
            OrthJobHelper.progress(140, "almost there");
            return null;
        });

        assertThat(directory.resolve("2030-01-01/1.log"))
                .content()
                .contains("1 of 2\n", "java.lang.IllegalStateException: why", "IllegalStateException: alone\n\tat ")
                .contains("] progress 40 %\n", "] progress 100 % almost there\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    success | ok    | 1:200 ok
                    fail    | no    | 1:500 no
                    timeout | late  | 1:502 late
                    200     | ok    | 1:200 ok
                    502     | late  | 1:502 late
                    777     | own   | 1:777 own
                    0       | what  | 1:500 job handle result lost.
                    -3      | what  | 1:500 job handle result lost.
                    """)
    void reportedResultIsTheRunResult(String kind, String text, String result) throws Exception {
        List<String> results = run(context -> {
            switch (kind) {
                case "success" -> OrthJobHelper.handleSuccess(text);
                case "fail" -> OrthJobHelper.handleFail(text);
                case "timeout" -> OrthJobHelper.handleTimeout(text);
                default -> OrthJobHelper.handleResult(Integer.parseInt(kind), text);
            }
            return RunResult.fail("what is returned counts less");
        });

        assertThat(results).containsExactly(result);
    }

    @Test
    void lastReportOfAnyThreadCounts() throws Exception {
        List<String> results = run(context -> {
            OrthJobHelper.handleSuccess("first");
            Thread child = new Thread(() -> OrthJobHelper.handleFail("second"));
            child.start();
            child.join();
            return null;
        });

        assertThat(results).containsExactly("1:500 second");
    }

    @Test
    void exceptionOverridesReport() throws Exception {
        List<String> results = run(context -> {
            OrthJobHelper.handleSuccess("all well");
            throw new IllegalStateException("not at all");
        });

        assertThat(results).containsExactly("1:500 java.lang.IllegalStateException: not at all");
    }

    private void look() {
        seen.add(OrthJobContext.current().<Object>map(context -> context).orElse("nothing"));
    }

    private List<String> run(JobHandler handler) throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.serial(handler, 1);
        test.stop();
        return test.results;
    }
}
