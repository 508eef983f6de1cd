package io.orth.glue.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.executor.GlueHandlerFactory;
import io.orth.executor.GlueInjector;
import io.orth.executor.GlueSourceException;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GroovyHandlerFactoryTest {

    private static final OrthJobContext CONTEXT = new OrthJobContext(7, "world", 1001, null, Instant.EPOCH, 0, 1, null);
    private static final int VERSIONS = 50;

    private final GroovyHandlerFactory factory = new GroovyHandlerFactory();

    @Test
    void theExecutorFindsIt() {
        assertThat(ServiceLoader.load(GlueHandlerFactory.class))
                .singleElement()
                .isInstanceOf(GroovyHandlerFactory.class)
                .extracting(GlueHandlerFactory::glueType)
                .isEqualTo("GLUE_GROOVY");
    }

    @Test
    @Tag("must-executor")
    void statementsRunOncePerRun() throws Exception {
        assertThat(run("RunResult.success('hello ' + context.param())")).isEqualTo(RunResult.success("hello world"));
        assertThat(run("def x = 1 + 1\nx")).isEqualTo(RunResult.success());
    }

    @Test
    void runsOfStatementsShareNoVariables() throws Exception {
        JobHandler handler = factory.compile("OrthGlue_7", """
                count = binding.hasVariable('count') ? count + 1 : 1
                RunResult.success("$count")
                """, GlueInjector.NONE);

        assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.success("1"));
        assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.success("1"));
    }

    @Test
    @Tag("must-kernel")
    void aClassDecidesHowLongTheNextAttemptWaits() throws Exception {
        JobHandler handler = factory.compile("OrthGlue_7", """
                class Patient implements JobHandler {
                    RunResult execute(OrthJobContext context) { RunResult.fail('busy') }
                    java.time.Duration retryDelay(int attempt, Throwable error) { java.time.Duration.ofMinutes(attempt) }
                }
                """, GlueInjector.NONE);
        assertThat(handler.retryDelay(3, null)).as("before its life begins").isNull();

        handler.init();

        assertThat(handler.retryDelay(3, null)).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    @Tag("must-executor")
    void aClassIsInitialisedInjectedRunAndDestroyed() throws Exception {
        JobHandler handler = factory.compile(
                "OrthGlue_7",
                """
                class Names { String join(a, b) { "$a, $b" } }

                class Greeter implements JobHandler {
                    public List<String> events
                    void init() { events << 'init' }
                    RunResult execute(OrthJobContext context) { RunResult.success(new Names().join(events, context.param())) }
                    void destroy() { events << 'destroy' }
                }
                """,
                target -> target.getClass().getField("events").set(target, new ArrayList<>(List.of("injected"))));

        handler.init();
        assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.success("[injected, init], world"));
        handler.destroy();
        handler.init();
        assertThat(handler.execute(CONTEXT))
                .as("a new object for a new life")
                .isEqualTo(RunResult.success("[injected, init], world"));
    }

    @Test
    @Tag("must-executor")
    void reportsCompileErrorWithItsLine() {
        assertThatThrownBy(() -> compile("println 1\n)"))
                .isInstanceOf(GlueSourceException.class)
                .hasMessageStartingWith("the Groovy source does not compile:\nline 2, column 1: ");
        assertThatThrownBy(() -> compile("def x = 1\n\nNoSuchType y = null"))
                .hasMessage(
                        "the Groovy source does not compile:\nline 3, column 12: unable to resolve class NoSuchType");
    }

    @Test
    void rejectsSourceWithoutHandler() {
        assertThatThrownBy(() -> compile("class Helper {}"))
                .isInstanceOf(GlueSourceException.class)
                .hasMessageContaining("needs one class that implements io.orth.executor.JobHandler")
                .hasMessageEndingWith("it has 0 such classes");
        assertThatThrownBy(() -> compile("interface Both extends JobHandler {}"))
                .hasMessageEndingWith("it has 0 such classes");
    }

    @Test
    void exceptionOfSourceFailsTheRun() {
        assertThatThrownBy(() -> run("throw new IOException('disk on fire')"))
                .isInstanceOf(IOException.class)
                .hasMessage("disk on fire");
    }

    /** The test's JVM drops soft references immediately, so anything left after garbage collection is a leak. */
    @Test
    @Tag("must-executor")
    void oldVersionsAreUnloaded() throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int version = 0; version < VERSIONS; version++) {
            JobHandler handler = factory.compile(
                    "OrthGlue_7",
                    """
                    class Handler implements JobHandler {
                        int version = %d
                        RunResult execute(OrthJobContext context) {
                            RunResult.success([version].collect { "v${it}" }.join('') + context.param().toUpperCase())
                        }
                    }
                    """.formatted(version),
                    target -> loaders.add(new WeakReference<>(target.getClass().getClassLoader())));
            handler.init();
            assertThat(handler.execute(CONTEXT)).isEqualTo(RunResult.success("v" + version + "WORLD"));
            handler.destroy();
        }

        await().untilAsserted(() -> {
            System.gc();
            assertThat(loaders).filteredOn(loader -> loader.get() != null).hasSizeLessThanOrEqualTo(2);
        });
    }

    private JobHandler compile(String source) throws GlueSourceException {
        return factory.compile("OrthGlue_7", source, GlueInjector.NONE);
    }

    private RunResult run(String source) throws Exception {
        JobHandler handler = compile(source);
        handler.init();
        return handler.execute(CONTEXT);
    }
}
