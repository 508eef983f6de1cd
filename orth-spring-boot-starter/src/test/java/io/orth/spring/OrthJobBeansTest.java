package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthJob;
import io.orth.executor.OrthQueue;
import io.orth.executor.OrthStage;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.RunResult;
import io.orth.executor.test.TestRun;
import io.orth.executor.test.TestTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

@Tag("must-executor")
class OrthJobBeansTest {

    private final GenericApplicationContext context = new GenericApplicationContext();
    private final List<String> events = new ArrayList<>();

    private static final BeanDefinitionCustomizer LAZY = definition -> definition.setLazyInit(true);
    private static final BeanDefinitionCustomizer PROTOTYPE =
            definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void searchCreatesNoLazyBeans() {
        context.registerBean("unrelated", Unrelated.class, () -> new Unrelated(events), LAZY);
        context.registerBean("jobs", Jobs.class, () -> new Jobs(events), LAZY);

        HandlerRegistry handlers = handlers();

        assertThat(handlers.names()).containsExactly("job");
        assertThat(events).isEmpty();

        run(handlers, "job");
        run(handlers, "job");

        assertThat(events).containsExactly("created", "init", "run 1", "destroy", "init", "run 2", "destroy");
    }

    static class DeclaringJobs {
        @OrthJob(value = "nightly", cron = "${nightly.cron}", param = "${nightly.param:none}")
        void nightly() {}
    }

    @Test
    @Tag("must-runs")
    void declaresJobsWithTheApplicationsSettings() {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("nightly.cron", "0 0 3 * * ?")));
        context.registerBean("jobs", DeclaringJobs.class, DeclaringJobs::new, LAZY);

        assertThat(handlers().declaredJobs()).containsExactly("nightly");
    }

    @Test
    void anAbsentOrBadSettingOfADeclaredJobFailsTheStart() {
        context.registerBean("jobs", DeclaringJobs.class, DeclaringJobs::new, LAZY);

        assertThatThrownBy(this::handlers).hasMessageContaining("nightly.cron");
    }

    static class QueueWorkers {
        @OrthQueue(value = "${mail.queue}", concurrency = 8, timeout = "${mail.timeout:30s}")
        RunResult send(String payload) {
            return RunResult.success("sent " + payload);
        }
    }

    @Test
    @Tag("must-queues")
    void worksOnQueuesWithTheApplicationsSettings() {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("mail.queue", "emails")));
        context.registerBean("workers", QueueWorkers.class, QueueWorkers::new, LAZY);

        HandlerRegistry handlers = handlers();

        assertThat(handlers.queues()).containsExactly("emails");
        assertThat(handlers.names()).isEmpty();
        assertThat(TestRun.of(handlers.findQueue("emails").orElseThrow())
                        .param("a letter")
                        .execute()
                        .result())
                .isEqualTo(RunResult.success("sent a letter"));
    }

    static class StageWorkers {
        @OrthStage(pipeline = "${book.pipeline}", stage = "pages", concurrency = 8, timeout = "${book.timeout:2m}")
        String page(PipelineTaskContext task) {
            return "page " + task.targetId();
        }
    }

    @Test
    @Tag("must-pipelines")
    void worksOnStagesWithTheApplicationsSettings() {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("book.pipeline", "books")));
        context.registerBean("workers", StageWorkers.class, StageWorkers::new, LAZY);

        HandlerRegistry handlers = handlers();

        assertThat(handlers.stages()).containsExactly("books/pages");
        assertThat(handlers.queues()).isEmpty();
        assertThat(TestTask.of(handlers, "books", "pages")
                        .target("page", "7")
                        .execute()
                        .result())
                .isEqualTo("\"page 7\"");
    }

    @Test
    void anAbsentSettingOfAQueueFailsTheStart() {
        context.registerBean("workers", QueueWorkers.class, QueueWorkers::new, LAZY);

        assertThatThrownBy(this::handlers).hasMessageContaining("mail.queue");
    }

    @Test
    void createsNewPrototypeForEveryRun() {
        context.registerBean("plain", PlainJobs.class, () -> new PlainJobs(events), PROTOTYPE);

        HandlerRegistry handlers = handlers();

        assertThat(events).isEmpty();
        run(handlers, "plain");
        run(handlers, "plain");
        assertThat(events).containsExactly("created", "run 1", "created", "run 1");
    }

    @Test
    void rejectsInitAndDestroyOfAPrototype() {
        context.registerBean("jobs", Jobs.class, () -> new Jobs(events), PROTOTYPE);

        assertThatThrownBy(this::handlers)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Jobs.class.getName())
                .hasMessageContaining("'jobs' is not a singleton");
    }

    @Test
    void callsThroughAProxyByInterface() {
        context.registerBean("faced", Faced.class, () -> (Faced) proxyOf(new FacedJobs(events), false));

        run(handlers(), "faced");

        assertThat(events).containsExactly("advised init", "init", "advised run", "run", "advised destroy", "destroy");
    }

    @Test
    void callsThroughAProxyBySubclass() {
        context.registerBean("jobs", Jobs.class, () -> (Jobs) proxyOf(new Jobs(events), true));

        run(handlers(), "job");

        assertThat(events)
                .containsSubsequence("advised init", "init", "advised run", "run 1", "advised destroy", "destroy");
    }

    @Test
    void rejectsPrivateMethodOfProxiedBean() {
        context.registerBean("hidden", HiddenJobs.class, () -> (HiddenJobs) proxyOf(new HiddenJobs(), true));

        assertThatThrownBy(this::handlers)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(HiddenJobs.class.getName() + ".hidden()");
    }

    @Test
    void callsPrivateAndStaticMethodsOfAPlainBean() {
        context.registerBean("hidden", HiddenJobs.class, HiddenJobs::new);

        HandlerRegistry handlers = handlers();

        assertThat(run(handlers, "hidden")).isEqualTo(RunResult.success("hidden"));
        assertThat(run(handlers, "static")).isEqualTo(RunResult.success("static"));
    }

    @Test
    void doesNotInitializeLazyFactory() {
        context.registerBean("made", Making.class, () -> new Making(events), LAZY);

        assertThat(handlers().names()).isEmpty();
        assertThat(events).isEmpty();
    }

    private HandlerRegistry handlers() {
        context.refresh();
        return new OrthJobBeans(context.getBeanFactory()).handlers();
    }

    private static RunResult run(HandlerRegistry handlers, String name) {
        return TestRun.of(handlers.find(name).orElseThrow()).execute().result();
    }

    private Object proxyOf(Object target, boolean bySubclass) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(bySubclass);
        factory.addAdvice((MethodInterceptor) invocation -> {
            events.add("advised " + invocation.getMethod().getName());
            return invocation.proceed();
        });
        return factory.getProxy();
    }

    static class Unrelated {
        Unrelated(List<String> events) {
            events.add("unrelated created");
        }
    }

    /** The proxy by subclass is made without a constructor. */
    static class Jobs {

        private final List<String> events;
        private int runs;

        Jobs(List<String> events) {
            this.events = events;
            events.add("created");
        }

        @OrthJob(value = "job", init = "init", destroy = "destroy")
        void run() {
            events.add("run " + ++runs);
        }

        void init() {
            events.add("init");
        }

        void destroy() {
            events.add("destroy");
        }
    }

    static class PlainJobs {

        private final List<String> events;
        private int runs;

        PlainJobs(List<String> events) {
            this.events = events;
            events.add("created");
        }

        @OrthJob("plain")
        void run() {
            events.add("run " + ++runs);
        }
    }

    interface Faced {

        @OrthJob(value = "faced", init = "init", destroy = "destroy")
        void run();

        void init();

        void destroy();
    }

    static final class FacedJobs implements Faced {

        private final List<String> events;

        FacedJobs(List<String> events) {
            this.events = events;
        }

        @Override
        public void run() {
            events.add("run");
        }

        @Override
        public void init() {
            events.add("init");
        }

        @Override
        public void destroy() {
            events.add("destroy");
        }
    }

    static class HiddenJobs {

        @SuppressWarnings("UnusedMethod")
        @OrthJob("hidden")
        private RunResult hidden() {
            return RunResult.success("hidden");
        }

        @OrthJob("static")
        static RunResult ofTheClass() {
            return RunResult.success("static");
        }
    }

    static final class Making implements FactoryBean<Object> {

        private final List<String> events;

        Making(List<String> events) {
            this.events = events;
            events.add("factory created");
        }

        @Override
        public Object getObject() {
            events.add("asked");
            return new Object();
        }

        @Override
        public Class<?> getObjectType() {
            return Object.class;
        }
    }
}
