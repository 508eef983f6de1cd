package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.OrthExecutor;
import io.orth.executor.OrthJob;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeAdmin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Tag("must-executor")
@Timeout(60)
class OrthExecutorAutoConfigurationTest {

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();

    @AfterEach
    void stop() {
        admin.close();
    }

    @Test
    void runsTheJobsOfBeans() {
        application(Jobs.class).run(context -> {
            OrthExecutor executor = context.getBean(OrthExecutor.class);

            assertThat(run(executor, "greet", 1).code()).isEqualTo(200);
            assertThat(run(executor, "quiet", 2).code()).isEqualTo(200);

            assertThat(admin.awaitCallback(1).handleMsg()).isEqualTo("hello spring");
            assertThat(admin.awaitCallback(2))
                    .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                    .containsExactly(500, "said so");
            assertThat(admin.awaitRegistration().instance().id()).isEqualTo(executor.instanceId());
        });
        assertThat(admin.removals()).hasSize(1);
    }

    @Test
    void callsProxiedBeansThroughTheirProxy() {
        application(ProxiedJobs.class).run(context -> {
            OrthExecutor executor = context.getBean(OrthExecutor.class);
            AtomicInteger advised = context.getBean(AtomicInteger.class);

            run(executor, "proxied", 3);

            assertThat(admin.awaitCallback(3).handleCode()).isEqualTo(200);
            assertThat(advised).hasValue(1);
        });
    }

    @Test
    void leavesNoTraceWhenDisabled() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        application(Jobs.class)
                .withPropertyValues("orth.executor.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(OrthExecutor.class);
                    assertThat(Thread.getAllStackTraces().keySet())
                            .filteredOn(thread -> !before.contains(thread))
                            .extracting(Thread::getName)
                            .noneMatch(name -> name.startsWith("orth-"));
                    assertThat(directory).isEmptyDirectory();
                });
    }

    @Test
    @Tag("must-first")
    void failsStartOnUnresolvedTokenPlaceholder() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OrthExecutorAutoConfiguration.class))
                .withPropertyValues(
                        "orth.executor.group=g",
                        "orth.executor.admins=" + admin.address(),
                        "orth.executor.access-token=${ORTH_VARIABLE_THAT_IS_NOT_SET}")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("orth.executor.access-token is the literal text '${ORTH_VARIABLE_THAT_IS_NOT_SET}':"
                                + " set the variable that the placeholder names"));
    }

    @Test
    void namesMissingKey() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OrthExecutorAutoConfiguration.class))
                .withPropertyValues("orth.executor.group=g", "orth.executor.admins=" + admin.address())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("orth.executor.access-token must not be blank"));
    }

    @Test
    void rejectsTwoHandlersOfOneName() {
        application(Jobs.class)
                .withBean("second", GreetingJobs.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("two handlers are named 'greet'")
                        .hasMessageContaining(GreetingJobs.class.getName()));
    }

    @Test
    void rejectsInvalidHandlerMethod() {
        application(Jobs.class)
                .withBean(WrongJobs.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(WrongJobs.class.getName() + ".wrong()"));
    }

    @ParameterizedTest
    @CsvSource({
        "capture-logs, maybe",
        "port, http",
        "port, 99999999999",
        "log-retention-days, 1.5",
        "max-log-size, big",
        "max-log-size, -1B",
        "beat-interval, soon",
        "shutdown-grace, 1 fortnight",
        "queue-capacity, -2147483649",
        "group, 'a\u0000b'",
        "admins, 'http://[bad'",
        "admins, 'http://one http://two'",
        "access-token, 'line\nbreak'",
        "advertised-address, 'http://host:port'"
    })
    void aHostileValueFailsTheStartAndNamesItsKey(String key, String value) {
        application(Jobs.class)
                .withPropertyValues("orth.executor.%s=%s".formatted(key, value))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(messagesOf(context.getStartupFailure())).contains("orth.executor." + key);
                });
    }

    @ParameterizedTest
    @Tag("must-kernel")
    @CsvSource({
        "acces-token, access-token",
        "admin, admins",
        "scripts.enable, scripts.enabled",
        "beat-intervall, beat-interval"
    })
    void misspeltKeyFailsStartAndSuggestsNearest(String key, String nearest) {
        application(Jobs.class)
                .withPropertyValues("orth.executor.%s=x".formatted(key))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(messagesOf(context.getStartupFailure()))
                            .contains("orth.executor.%s is not a setting; did you mean orth.executor.%s?"
                                    .formatted(key, nearest));
                });
    }

    @ParameterizedTest
    @Tag("must-kernel")
    @CsvSource({
        "orth.executer.group, orth.executor.group",
        "orth.exector.access-token, orth.executor.access-token",
        "orth.executor-s.admins[0], orth.executor.admins",
        "orth.cleint.token, orth.client.token"
    })
    void aMisspeltSectionFailsTheStart(String key, String nearest) {
        application(Jobs.class)
                .withPropertyValues(key + "=x")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessage("%s is not a setting; did you mean %s?".formatted(key, nearest)));
    }

    @ParameterizedTest
    @Tag("must-kernel")
    @ValueSource(
            strings = {
                "orth.shop.name",
                "orth.environment",
                "orth.database.pool-size",
                "orth.clients.greeting",
                "orth.execution.limit",
                "orthography.group"
            })
    void allowsApplicationPropertiesWithSamePrefix(String key) {
        application(Jobs.class)
                .withPropertyValues(key + "=x")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void capturesLogsUnlessDisabled() {
        application(Jobs.class).run(context -> assertThat(context).hasSingleBean(RunLogCaptureLifecycle.class));
        application(Jobs.class)
                .withPropertyValues("orth.executor.capture-logs=false")
                .run(context -> assertThat(context).doesNotHaveBean(RunLogCaptureLifecycle.class));
        application(Jobs.class)
                .withClassLoader(new FilteredClassLoader("ch.qos.logback"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RunLogCaptureLifecycle.class));
    }

    @Test
    void healthCanBeTurnedOff() {
        application(Jobs.class)
                .withConfiguration(AutoConfigurations.of(OrthExecutorActuatorAutoConfiguration.class))
                .run(context -> assertThat(context).hasBean("orthHealthIndicator"));
        application(Jobs.class)
                .withConfiguration(AutoConfigurations.of(OrthExecutorActuatorAutoConfiguration.class))
                .withPropertyValues("management.health.orth.enabled=false", "management.info.orth.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("orthHealthIndicator")
                        .doesNotHaveBean("orthInfoContributor"));
    }

    @Test
    void startsInApplicationWithLazyBeans() {
        application(Jobs.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context.getBeanFactory().containsSingleton("greetingJobs"))
                            .isFalse();
                    run(context.getBean(OrthExecutor.class), "greet", 1);
                    assertThat(admin.awaitCallback(1).handleMsg()).isEqualTo("hello spring");
                });
    }

    private static String messagesOf(Throwable failure) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }

    private ApplicationContextRunner application(Class<?> jobs) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OrthExecutorAutoConfiguration.class))
                .withUserConfiguration(jobs)
                .withPropertyValues(
                        "orth.executor.group=tests",
                        "orth.executor.admins=" + admin.address(),
                        "orth.executor.access-token=" + FakeAdmin.TOKEN,
                        "orth.executor.log-path=" + directory);
    }

    private static Reply run(OrthExecutor executor, String handler, long logId) throws Exception {
        TriggerRequest trigger = TriggerRequest.of(1, handler, logId, 1_893_499_200_000L)
                .params("spring")
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(executor.address() + ExecutorPaths.RUN.substring(1)))
                .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(trigger)))
                .build();
        return Reply.from(Json.readObject(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofByteArray())
                .body()));
    }

    static class GreetingJobs {

        @OrthJob("greet")
        RunResult greet(OrthJobContext context) {
            return RunResult.success("hello " + context.param());
        }

        @OrthJob("quiet")
        void quiet() {
            OrthJobHelper.handleFail("said so");
        }
    }

    static class WrongJobs {

        @OrthJob("wrong")
        void wrong(int number) {}
    }

    /** Not final, and the method neither: a proxy by subclass must be able to override it. */
    public static class AdvisedJobs {

        @OrthJob("proxied")
        public void proxied(String param) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        @Bean
        GreetingJobs greetingJobs() {
            return new GreetingJobs();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiedJobs {

        @Bean
        AtomicInteger advised() {
            return new AtomicInteger();
        }

        @Bean
        AdvisedJobs advisedJobs(AtomicInteger advised) {
            ProxyFactory factory = new ProxyFactory(new AdvisedJobs());
            factory.setProxyTargetClass(true);
            factory.addAdvice((MethodInterceptor) invocation -> {
                advised.incrementAndGet();
                return invocation.proceed();
            });
            return (AdvisedJobs) factory.getProxy();
        }
    }
}
