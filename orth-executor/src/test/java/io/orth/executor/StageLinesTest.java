package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.orth.testkit.FakeTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Log lines of an executor and its handlers about a task carry the run, the task and the trace. */
@Tag("must-pipelines")
@Timeout(120)
class StageLinesTest {

    private static final Map<String, String> FACTS =
            Map.of("rootJobId", "1000", "taskId", "1", "traceId", "4bf92f3577b34da6a3ce929d0e0e4736");

    @TempDir
    Path directory;

    private final Lines lines = new Lines();
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.orth.executor");
    private ExecutorRoom room;
    private FakeTasks tasks;
    private OrthExecutor executor;

    /** Keeps what is logged, with the MDC of the thread that did. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {

        private final List<ILoggingEvent> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            line.prepareForDeferredProcessing();
            all.add(line);
        }

        private ILoggingEvent await(String part) {
            return Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(
                            () -> all.stream()
                                    .filter(line -> line.getFormattedMessage().contains(part))
                                    .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
        }
    }

    @BeforeEach
    void open() {
        room = new ExecutorRoom(directory);
        tasks = room.admin.tasks();
        ours.setLevel(Level.DEBUG);
        ours.setAdditive(false);
        lines.setContext(ours.getLoggerContext());
        lines.start();
        ours.addAppender(lines);
    }

    @AfterEach
    void close() {
        executor.stop(Duration.ofSeconds(5));
        room.admin.close();
        ours.detachAppender(lines);
        ours.setAdditive(true);
        ours.setLevel(null);
    }

    private void start(StageHandler handler) {
        executor = OrthExecutor.create(
                        room.options().build(),
                        HandlerRegistry.builder()
                                .addStage(PipelineWorker.of("books", "pages", handler))
                                .build())
                .start();
    }

    /** From the MDC and the fields together, as a line shows them. */
    private static Map<String, String> factsOf(ILoggingEvent line) {
        Map<String, String> facts = new HashMap<>(line.getMDCPropertyMap());
        if (line.getKeyValuePairs() != null) {
            line.getKeyValuePairs().forEach(field -> facts.put(field.key, String.valueOf(field.value)));
        }
        return facts;
    }

    @Test
    void aHandlersLinesAndThoseAboutItsEnd() {
        start(task -> {
            LoggerFactory.getLogger("io.orth.executor.aHandler").info("reading");
            throw new IllegalStateException("no luck");
        });

        tasks.send("books", "pages", null);

        assertThat(factsOf(lines.await("attempt 1 at a task starts"))).isEqualTo(FACTS);
        assertThat(factsOf(lines.await("reading"))).isEqualTo(FACTS);
        assertThat(factsOf(lines.await("attempt 1 of 3 at a task failed: java.lang.IllegalStateException: no luck")))
                .isEqualTo(FACTS);
    }
}
