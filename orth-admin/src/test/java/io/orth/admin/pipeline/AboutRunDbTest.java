package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.failed;
import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orth.admin.AdminFixture;
import io.orth.admin.registry.Target;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.Yaml;

/** Log lines and system log messages about a run name the run and its trace. */
@Tag("must-pipelines")
class AboutRunDbTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ListAppender<ILoggingEvent> printed = new ListAppender<>();
    private final Logger pipelines = (Logger) LoggerFactory.getLogger(AboutRun.class.getPackageName());
    private AdminFixture admin;
    private PipelineFixture given;
    private Target executor;
    private long run;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        executor = admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9999");
        given.define("books", "courses");
        pipelines.setLevel(Level.INFO);
        pipelines.setAdditive(false);
        printed.setContext(pipelines.getLoggerContext());
        printed.start();
        pipelines.addAppender(printed);
        run = given.submit("books", "math");
    }

    @AfterEach
    void tearDown() {
        pipelines.detachAppender(printed);
        pipelines.setLevel(null);
        pipelines.setAdditive(true);
    }

    private List<ILoggingEvent> linesOf(Class<?> who) {
        return printed.list.stream()
                .filter(line -> line.getLoggerName().equals(who.getName()))
                .toList();
    }

    private static Map<String, Object> fieldsOf(ILoggingEvent line) {
        return line.getKeyValuePairs().stream()
                .filter(field -> field.value != null)
                .collect(Collectors.toMap(field -> field.key, field -> field.value));
    }

    private void assertAboutTheRun(Class<?> who, String... messages) {
        assertThat(linesOf(who))
                .extracting(ILoggingEvent::getFormattedMessage)
                .as(who.getSimpleName())
                .containsExactly(messages);
        assertThat(linesOf(who))
                .allSatisfy(line -> assertThat(fieldsOf(line))
                        .containsEntry("rootJobId", run)
                        .containsEntry("traceId", TRACE));
    }

    /** Published lines except those from before the run. */
    private List<String> published() {
        return admin.systemLog.lines().stream()
                .filter(line -> !line.contains("registered"))
                .toList();
    }

    private String name() {
        return "pipeline run %d (trace %s)".formatted(run, TRACE);
    }

    @Test
    void reconcilerNamesRunAndTrace() {
        given.work("courses", executor)
                .forEach(task -> given.finish(executor, failed(task, TaskResult.Outcome.PERMANENT)));
        given.reconcile();
        given.runs.retry(run, null, null, "ann");
        given.reconcile();
        given.work("courses", executor).forEach(task -> given.finish(executor, ok(task)));
        given.reconcile();

        assertAboutTheRun(
                PipelineReconciler.class,
                "brought a pipeline run forward",
                "brought a pipeline run forward",
                "brought a pipeline run forward");
        assertThat(fieldsOf(linesOf(PipelineReconciler.class).get(1)).get("did"))
                .hasToString("[RETRIED 1]");
        assertThat(published())
                .containsExactly(
                        "ERROR %s of books is FAILED: stage courses: 1 of 1 tasks failed: course math (it did not work)"
                                .formatted(name()),
                        "INFO %s is COMPLETED".formatted(name()));
    }

    @Test
    void dispatcherNamesRunAndTrace() {
        admin.jdbc.sql("update orth_outbox set destination = 'no such/queue'").update();
        for (int i = 0; i < 3; i++) {
            admin.jdbc
                    .sql("update orth_outbox set next_attempt_at = now() - interval '1 second'")
                    .update();
            given.dispatch();
        }

        assertAboutTheRun(
                OutboxDispatcher.class,
                "could not send a task; it is tried again",
                "could not send a task; it is tried again",
                "gave up sending a task");
        long task = admin.jdbc
                .sql("select id from orth_pipeline_task")
                .query(Long.class)
                .single();
        assertThat(fieldsOf(linesOf(OutboxDispatcher.class).get(0)))
                .containsEntry("taskId", task)
                .containsEntry("attempt", 1)
                .containsKey("error");
        assertThat(published())
                .singleElement()
                .asString()
                .startsWith("ERROR outbox entry ")
                .contains(" for task %d of %s is parked after 3 attempts: ".formatted(task, name()));
    }

    @Test
    void rescuerNamesRunAndTrace() {
        given.work("courses", executor);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();

        given.rescue();

        assertAboutTheRun(CarriedTasks.class, "took tasks back from executors that are gone");
    }

    @Test
    void submitAndCancelNameRunAndTrace() {
        given.runs.cancel(run, "ann", "enough");

        assertAboutTheRun(PipelineRuns.class, "a pipeline run was submitted", "a pipeline run was cancelled");
    }

    /** Fields are useful only if the log pattern prints them. */
    @Test
    void logPatternPrintsFieldsWithNames() throws IOException {
        PatternLayout layout = new PatternLayout();
        layout.setContext(pipelines.getLoggerContext());
        layout.setPattern(consolePattern());
        layout.start();

        assertThat(layout.doLayout(printed.list.get(0)))
                .contains("rootJobId=\"%d\"".formatted(run))
                .contains("traceId=\"%s\"".formatted(TRACE));
    }

    @SuppressWarnings("unchecked")
    private static String consolePattern() throws IOException {
        try (InputStream in = AboutRun.class.getResourceAsStream("/application.yml")) {
            Map<String, Map<String, Object>> settings = new Yaml().load(in);
            return settings.get("logging").get("pattern.console").toString();
        }
    }
}
