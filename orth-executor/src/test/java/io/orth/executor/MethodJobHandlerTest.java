package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MethodJobHandlerTest {

    private static final OrthJobContext CONTEXT =
            new OrthJobContext(1, "the param", 2, null, Instant.EPOCH, 0, 1, null);

    @Test
    void findsAndCallsAnnotatedMethodsOfAllShapes() throws Exception {
        Jobs jobs = new Jobs();
        HandlerRegistry handlers = HandlerRegistry.builder().addMethodsOf(jobs).build();

        assertThat(handlers.names()).containsExactlyInAnyOrder("nothing", "param", "context", "inherited", "static");
        assertThat(call(handlers, "nothing")).isNull();
        assertThat(call(handlers, "param")).isNull();
        assertThat(call(handlers, "context")).isEqualTo(RunResult.success("2"));
        assertThat(call(handlers, "inherited")).isNull();
        assertThat(call(handlers, "static")).isNull();
        assertThat(jobs.calls).containsExactly("nothing", "param the param", "context", "inherited");
    }

    @Test
    void callsTheNamedInitAndDestroy() throws Exception {
        Jobs jobs = new Jobs();
        JobHandler handler = HandlerRegistry.builder()
                .addMethodsOf(jobs)
                .build()
                .find("nothing")
                .orElseThrow();

        handler.init();
        handler.execute(CONTEXT);
        handler.destroy();

        assertThat(jobs.calls).containsExactly("open", "nothing", "shut");
    }

    @Test
    void anOverriddenMethodIsOneHandler() throws Exception {
        Base jobs = new Overriding();
        HandlerRegistry handlers = HandlerRegistry.builder().addMethodsOf(jobs).build();

        call(handlers, "inherited");

        assertThat(handlers.names()).containsExactly("inherited");
        assertThat(jobs.calls).containsExactly("overridden");
    }

    @Test
    void throwsWhatTheMethodThrows() {
        HandlerRegistry handlers =
                HandlerRegistry.builder().addMethodsOf(new Throwing()).build();

        assertThatThrownBy(() -> call(handlers, "checked"))
                .isInstanceOf(IOException.class)
                .hasMessage("disk");
        assertThatThrownBy(() -> call(handlers, "error")).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void refusesWhatCannotBeAHandlerAndNamesTheClass() {
        record Case(Object jobs, String complaint) {}
        List<Case> cases = List.of(
                new Case(new Blank(), "Blank.run() needs a name"),
                new Case(new TooMany(), "TooMany.run() must take nothing, a String or an OrthJobContext"),
                new Case(new WrongArgument(), "WrongArgument.run() must take nothing, a String or an OrthJobContext"),
                new Case(new WrongReturn(), "WrongReturn.run() must return nothing or a RunResult"),
                new Case(new NoInit(), "NoInit names the method missing(), which does not exist"),
                new Case(new Twins(), "two handlers are named 'twin'"),
                new Case(new Object(), "java.lang.Object has no @OrthJob method"));

        for (Case bad : cases) {
            assertThatThrownBy(() -> HandlerRegistry.builder().addMethodsOf(bad.jobs()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bad.complaint());
        }
    }

    @Test
    void refusesBadNames() {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder().add("a", context -> null);

        assertThatThrownBy(() -> handlers.add("a", context -> null)).hasMessageContaining("two handlers are named 'a'");
        assertThatThrownBy(() -> handlers.add(" ", context -> null)).hasMessageContaining("a handler needs a name");
        assertThat(handlers.build().find(null)).isEmpty();
    }

    private static RunResult call(HandlerRegistry handlers, String name) throws Exception {
        return handlers.find(name).orElseThrow().execute(CONTEXT);
    }

    static class Base {

        final List<String> calls = new ArrayList<>();

        @OrthJob("inherited")
        void inherited() {
            calls.add("inherited");
        }
    }

    static final class Overriding extends Base {

        @Override
        @OrthJob("inherited")
        void inherited() {
            calls.add("overridden");
        }
    }

    static final class Jobs extends Base {

        @OrthJob(value = "nothing", init = "open", destroy = "shut")
        void nothing() {
            calls.add("nothing");
        }

        @OrthJob("param")
        void param(String param) {
            calls.add("param " + param);
        }

        @OrthJob("context")
        RunResult context(OrthJobContext context) {
            calls.add("context");
            return RunResult.success("" + context.logId());
        }

        @OrthJob("static")
        static void ofTheClass() {}

        void open() {
            calls.add("open");
        }

        void shut() {
            calls.add("shut");
        }
    }

    static final class Throwing {

        @OrthJob("checked")
        void checked(String param) throws IOException {
            if (!param.isEmpty()) {
                throw new IOException("disk");
            }
        }

        @OrthJob("error")
        void error(String param) {
            if (!param.isEmpty()) {
                throw new StackOverflowError();
            }
        }
    }

    static final class Blank {
        @OrthJob(" ")
        void run() {}
    }

    static final class TooMany {
        @OrthJob("x")
        void run(String a, String b) {}
    }

    static final class WrongArgument {
        @OrthJob("x")
        void run(int a) {}
    }

    static final class WrongReturn {
        @OrthJob("x")
        String run() {
            return "";
        }
    }

    static final class NoInit {
        @OrthJob(value = "x", init = "missing")
        void run() {}
    }

    static final class Twins {
        @OrthJob("twin")
        void one() {}

        @OrthJob("twin")
        void two() {}
    }
}
