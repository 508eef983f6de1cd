package io.orth.executor.internal.script;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.GlueHandlerFactory;
import io.orth.executor.GlueInjector;
import io.orth.executor.GlueSourceException;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.HandlerSource.NoHandlerException;
import io.orth.executor.internal.job.RegisteredHandlers;
import io.orth.protocol.Glue;
import io.orth.protocol.TriggerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceHandlersTest {

    private static final OrthJobContext CONTEXT = new OrthJobContext(7, "", 1, null, null, 0, 1, null);

    @TempDir
    Path directory;

    private final AtomicInteger compiled = new AtomicInteger();

    @Test
    void aTriggerThatNamesAHandlerGetsIt() throws Exception {
        JobHandler handler = context -> RunResult.success();

        assertThat(handlers(handler, false, false).handlerOf(trigger(Glue.NONE, "")))
                .isSameAs(handler);
    }

    @ParameterizedTest
    @Tag("must-executor")
    @ValueSource(strings = {"GLUE_SHELL", "GLUE_PYTHON", "GLUE_PYTHON2", "GLUE_PHP", "GLUE_NODEJS", "GLUE_POWERSHELL"})
    void rejectsScriptsUnlessAllowed(String type) throws Exception {
        Glue glue = new Glue(type, "echo", 1);

        assertThatThrownBy(() -> handlers(false, true).handlerOf(trigger(glue, "")))
                .isInstanceOf(NoHandlerException.class)
                .hasMessage(
                        "glueType[%s] is not allowed on this executor: orth.executor.scripts.enabled is false", type);
        assertThat(handlers(true, false).handlerOf(trigger(glue, ""))).isInstanceOf(ScriptJobHandler.class);
    }

    @Test
    @Tag("must-executor")
    void rejectsGroovyUnlessAllowedAndInstalled() throws Exception {
        Glue glue = new Glue("GLUE_GROOVY", "println 1", 1);

        assertThatThrownBy(() -> handlers(true, false).handlerOf(trigger(glue, "")))
                .hasMessage(
                        "glueType[GLUE_GROOVY] is not allowed on this executor: orth.executor.glue.enabled is false");
        assertThatThrownBy(() -> handlers(List.of(), true, true).handlerOf(trigger(glue, "")))
                .hasMessage("glueType[GLUE_GROOVY] is not allowed on this executor: no module for it is installed");
        assertThat(handlers(false, true).handlerOf(trigger(glue, ""))).isInstanceOf(GlueJobHandler.class);
    }

    @ParameterizedTest
    @Tag("must-executor")
    @ValueSource(strings = {"GLUE_COBOL", "glue_shell", "", "../../etc/passwd"})
    void anUnknownTypeIsNotValid(String type) {
        assertRejected(new Glue(type, "x", 1), "", "glueType[" + type + "] is not valid.");
    }

    @Test
    void aLongTypeIsNotRepeatedInFull() {
        assertRejected(new Glue("x".repeat(100_000), "x", 1), "", "glueType[" + "x".repeat(64) + "] is not valid.");
    }

    @Test
    void rejectsMissingOrTooLongSource() {
        assertRejected(new Glue("GLUE_SHELL", null, 1), "", "the trigger has no source to run");
        assertRejected(new Glue("GLUE_SHELL", " \n", 1), "", "the trigger has no source to run");
        assertRejected(
                new Glue("GLUE_SHELL", "x".repeat(1_048_577), 1),
                "",
                "the source has 1,048,577 characters, more than 1,048,576");
    }

    @Test
    @Tag("must-executor")
    void rejectsParameterWithNul() {
        assertRejected(
                new Glue("GLUE_SHELL", "x", 1),
                "a\0b",
                "the parameter contains a NUL character, which no program can be given");
    }

    @Test
    void hasOneHandlerPerVersion() throws Exception {
        SourceHandlers handlers = handlers(true, true);
        JobHandler first = handlers.handlerOf(trigger(new Glue("GLUE_SHELL", "echo 1", 1), "a"));

        assertThat(handlers.handlerOf(trigger(new Glue("GLUE_SHELL", "echo 1", 1), "b")))
                .isSameAs(first);
        assertThat(handlers.handlerOf(trigger(new Glue("GLUE_SHELL", "echo 2", 2), "a")))
                .isNotSameAs(first);
    }

    @Test
    @Tag("must-executor")
    void aTriggerNeitherWritesNorCompiles() throws Exception {
        SourceHandlers handlers = handlers(true, true);

        handlers.handlerOf(trigger(new Glue("GLUE_SHELL", "echo 1", 1), ""));
        handlers.handlerOf(trigger(new Glue("GLUE_GROOVY", "1", 1), ""));

        assertThat(directory.resolve("gluesource")).doesNotExist();
        assertThat(compiled).hasValue(0);
    }

    @Test
    void compilesEachVersionOnceAcrossLanes() throws Exception {
        JobHandler handler = handlers(true, true).handlerOf(trigger(new Glue("GLUE_GROOVY", "good", 1), ""));
        for (int lane = 0; lane < 3; lane++) {
            handler.init();
            assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.success("OrthGlue_7"));
            handler.destroy();
        }

        assertThat(compiled).hasValue(1);
    }

    @Test
    @Tag("must-kernel")
    void compiledHandlerDecidesRetryDelay() throws Exception {
        SourceHandlers handlers = handlers(true, true);
        JobHandler patient = handlers.handlerOf(trigger(new Glue("GLUE_GROOVY", "patient", 1), ""));
        JobHandler mistaken = handlers.handlerOf(trigger(new Glue("GLUE_GROOVY", "bad", 2), ""));

        patient.init();
        mistaken.init();

        assertThat(patient.retryDelay(3, null)).isEqualTo(Duration.ofMinutes(3));
        assertThat(mistaken.retryDelay(3, null)).isNull();
    }

    @Test
    void brokenSourceFailsEveryRunAndCompilesOnce() throws Exception {
        JobHandler handler = handlers(true, true).handlerOf(trigger(new Glue("GLUE_GROOVY", "bad", 1), ""));

        handler.init();
        assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.fail("line 1: bad"));
        handler.destroy();
        handler.init();
        assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.fail("line 1: bad"));

        assertThat(compiled).hasValue(1);
    }

    private void assertRejected(Glue glue, String params, String reason) {
        assertThatThrownBy(() -> handlers(true, true).handlerOf(trigger(glue, params)))
                .isInstanceOf(NoHandlerException.class)
                .hasMessage(reason);
    }

    private SourceHandlers handlers(boolean scripts, boolean glue) {
        return handlers(List.of(factory()), scripts, glue);
    }

    private SourceHandlers handlers(List<GlueHandlerFactory> factories, boolean scripts, boolean glue) {
        return handlers(HandlerRegistry.builder().build(), factories, scripts, glue);
    }

    private SourceHandlers handlers(JobHandler handler, boolean scripts, boolean glue) {
        return handlers(HandlerRegistry.builder().add("named", handler).build(), List.of(), scripts, glue);
    }

    private SourceHandlers handlers(
            HandlerRegistry registry, List<GlueHandlerFactory> factories, boolean scripts, boolean glue) {
        ExecutorOptions options = ExecutorOptions.builder()
                .group("tests")
                .admin("http://one:8080")
                .accessToken("s3cret")
                .logPath(directory)
                .scriptsEnabled(scripts)
                .glueEnabled(glue)
                .build();
        return new SourceHandlers(
                new RegisteredHandlers(registry), options, ZoneOffset.UTC, factories, GlueInjector.NONE);
    }

    private static final class Patient implements JobHandler {

        @Override
        public RunResult execute(OrthJobContext context) {
            return RunResult.fail("busy");
        }

        @Override
        public Duration retryDelay(int attempt, Throwable error) {
            return Duration.ofMinutes(attempt);
        }
    }

    private GlueHandlerFactory factory() {
        return new GlueHandlerFactory() {
            @Override
            public String glueType() {
                return "GLUE_GROOVY";
            }

            @Override
            public JobHandler compile(String name, String source, GlueInjector injector) throws GlueSourceException {
                compiled.incrementAndGet();
                if (source.equals("bad")) {
                    throw new GlueSourceException("line 1: bad");
                }
                return source.equals("patient") ? new Patient() : context -> RunResult.success(name);
            }
        };
    }

    private static TriggerRequest trigger(Glue glue, String params) {
        return TriggerRequest.of(7, "named", 1, TRIGGERED_AT)
                .glue(glue)
                .params(params)
                .build();
    }
}
