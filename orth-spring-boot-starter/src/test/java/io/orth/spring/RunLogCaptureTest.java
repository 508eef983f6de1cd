package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.test.TestRun;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-executor")
class RunLogCaptureTest {

    /** A context of its own: the tests reset it. */
    private final LoggerContext context = new LoggerContext();

    private final Logger logger = context.getLogger("com.example.ReportJobs");

    @BeforeEach
    void begin() {
        context.start();
        RunLogCapture.begin(context);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void copiesLogLinesOfTheRun() {
        assertThat(logOf(job -> {
                    logger.info("{} of {} done", 3, 10);
                    logger.warn("not good");
                    return null;
                }))
                .containsExactly("INFO  ReportJobs - 3 of 10 done", "WARN  ReportJobs - not good");
    }

    @Test
    void copiesStackTraces() {
        List<String> log = logOf(job -> {
            logger.error("failed", new IllegalStateException("outer", new IllegalArgumentException("inner")));
            return null;
        });

        assertThat(log.get(0)).isEqualTo("ERROR ReportJobs - failed");
        assertThat(log.get(1)).isEqualTo("java.lang.IllegalStateException: outer");
        assertThat(log)
                .anyMatch(line -> line.startsWith("\tat "))
                .anyMatch(line -> line.startsWith("Caused by: java.lang.IllegalArgumentException: inner"));
    }

    @Test
    void copiesLogLinesOfChildThreadsAndWrappedTasks() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            pool.submit(() -> logger.info("before any run")).get();

            assertThat(logOf(job -> {
                        Thread child = new Thread(() -> logger.info("from a child"));
                        child.start();
                        child.join();
                        pool.submit(OrthJobHelper.wrap(() -> logger.info("from a pool")))
                                .get();
                        pool.submit(() -> logger.info("from another's task")).get();
                        return null;
                    }))
                    .containsExactly("INFO  ReportJobs - from a child", "INFO  ReportJobs - from a pool");
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void omitsExecutorLogLinesAndDisabledLevels() {
        context.getLogger("com.example").setLevel(Level.WARN);

        assertThat(logOf(job -> {
                    context.getLogger("io.orth.executor.internal.log.RunLog").warn("our own");
                    context.getLogger("io.orth.spring.OrthJobBeans").warn("our own");
                    context.getLogger("io.orthodox.Jobs").info("someone else's");
                    logger.info("below the level");
                    logger.warn("at the level");
                    return null;
                }))
                .containsExactly("INFO  Jobs - someone else's", "WARN  ReportJobs - at the level");
    }

    @Test
    void recursiveLoggingDropsTheLineOnly() {
        Object talkative = new Object() {
            @Override
            public String toString() {
                logger.info("talking");
                return "done";
            }
        };

        assertThat(logOf(job -> {
                    logger.info("it is {}", talkative);
                    return null;
                }))
                .contains("INFO  ReportJobs - it is done");
    }

    @Test
    void survivesReconfigurationOfLogging() {
        context.reset();
        context.getLogger("com.example").setAdditive(false);
        context.start();

        assertThat(logOf(job -> {
                    logger.info("still here");
                    context.getLogger("org.other.Thing").info("and here");
                    return null;
                }))
                .containsExactly("INFO  ReportJobs - still here", "INFO  Thing - and here");
    }

    @Test
    void writesEachLineOnceWithSeveralApplications() {
        RunLogCapture.begin(context);

        assertThat(logOf(job -> {
                    logger.info("once");
                    return null;
                }))
                .hasSize(1);

        RunLogCapture.end(context);
        assertThat(logOf(job -> {
                    logger.info("still");
                    return null;
                }))
                .hasSize(1);

        RunLogCapture.end(context);
        assertThat(logOf(job -> {
                    logger.info("gone");
                    return null;
                }))
                .isEmpty();
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                .isExhausted();
        assertThat(context.getCopyOfListenerList()).isEmpty();
    }

    @Test
    void endWithoutStartDoesNothing() {
        RunLogCapture.end(context);
        RunLogCapture.end(context);

        assertThat(context.getCopyOfListenerList()).isEmpty();
    }

    private static List<String> logOf(JobHandler handler) {
        return TestRun.of(handler).execute().log();
    }
}
