package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void rethrowsExceptionOfTheMethod() {
        HandlerRegistry handlers =
                HandlerRegistry.builder().addMethodsOf(new Throwing()).build();

        assertThatThrownBy(() -> call(handlers, "checked"))
                .isInstanceOf(IOException.class)
                .hasMessage("disk");
        assertThatThrownBy(() -> call(handlers, "error")).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void rejectsInvalidHandlerMethodsNamingTheClass() {
        record Case(Object jobs, String complaint) {}
        List<Case> cases = List.of(
                new Case(new Blank(), "@OrthJob on io.orth.executor.MethodJobHandlerTest$Blank.run() needs a name"),
                new Case(new TooLong(), "TooLong.run() has 201 characters, 200 are allowed"),
                new Case(new Spaced(), "Spaced.run(), 'x ', begins or ends with a space"),
                new Case(new TooMany(), "TooMany.run() must take nothing, a String, an OrthJobContext or a record"),
                new Case(
                        new WrongArgument(),
                        "WrongArgument.run() must take nothing, a String, an OrthJobContext or a record"),
                new Case(
                        new WrongRecord(),
                        "WrongRecord.run() cannot take %s: %s.thread has the type java.lang.Thread, which a JSON"
                                .formatted(Unfillable.class.getName(), Unfillable.class.getName())),
                new Case(new WrongReturn(), "WrongReturn.run() must return nothing or a RunResult"),
                new Case(new NoInit(), "NoInit names the method missing(), which does not exist"),
                new Case(new Twins(), "two handlers are named 'twin'"),
                new Case(new Object(), "java.lang.Object has no @OrthJob, @OrthQueue or @OrthStage method"));

        for (Case bad : cases) {
            assertThatThrownBy(() -> HandlerRegistry.builder().addMethodsOf(bad.jobs()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bad.complaint());
        }
    }

    @Tag("must-executor")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\t",
                " a",
                "a ",
                "a\nb",
                "a\u0000",
                "a\u007f",
                "a\u2028b",
                "a\u202eb",
                "\u00a0a",
                "a\ud800"
            })
    void rejectsNamesThatTheAdminWouldAlter(String name) {
        JobHandler handler = new JobHandler() {
            @Override
            public RunResult execute(OrthJobContext context) {
                return null;
            }

            @Override
            public String toString() {
                return "the handler";
            }
        };

        assertThatThrownBy(() -> HandlerRegistry.builder().add(name, handler))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the handler");
    }

    @Test
    void takesEveryNameThatTheAdminTakes() {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .add("a", context -> null)
                .add("x".repeat(200), context -> null)
                .add("Bericht für heute / 日报 (v2.1)", context -> null)
                .build();

        assertThat(handlers.names()).hasSize(3);
        assertThat(handlers.find(null)).isEmpty();
        assertThat(handlers.find("missing")).isEmpty();
    }

    @Tag("must-executor")
    @Test
    void rejectsDuplicateNameNamingBothOwners() {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder().addMethodsOf(new Jobs());

        assertThatThrownBy(() -> handlers.addMethodsOf(new Overriding()))
                .hasMessageContaining("two handlers are named 'inherited'")
                .hasMessageContaining(Base.class.getName() + ".inherited()")
                .hasMessageContaining(Overriding.class.getName() + ".inherited()");
    }

    @Tag("must-executor")
    @Test
    void fillsARecordFromTheParameter() throws Exception {
        RecordJobs jobs = new RecordJobs();
        JobHandler handler = HandlerRegistry.builder()
                .addMethodsOf(jobs)
                .build()
                .find("invoices")
                .orElseThrow();

        RunResult good = handler.execute(contextWith("{\"customer\": \"acme\", \"limit\": 5}"));
        RunResult bad = handler.execute(contextWith("{\"customer\": \"acme\", \"limit\": \"many\"}"));

        assertThat(good).isNull();
        assertThat(jobs.seen).containsExactly(new Invoices("acme", 5));
        assertThat(bad.code()).isEqualTo(500);
        assertThat(bad.text())
                .isEqualTo("the parameter does not fit Invoices: 'limit' must be a whole number from -2147483648 to"
                        + " 2147483647, got \"many\"");
    }

    @Test
    void findsMethodsOfInterfacesAndPrivateOnesOfTheSameName() throws Exception {
        Child jobs = new Child();
        HandlerRegistry handlers = HandlerRegistry.builder().addMethodsOf(jobs).build();

        for (String name : List.of("mine", "parents", "default", "declared", "renamed")) {
            call(handlers, name);
        }

        assertThat(handlers.names()).containsExactlyInAnyOrder("mine", "parents", "default", "declared", "renamed");
        assertThat(jobs.calls).containsExactly("child", "parent", "default", "declared", "child renamed");
    }

    private static OrthJobContext contextWith(String param) {
        return new OrthJobContext(1, param, 2, null, Instant.EPOCH, 0, 1, null);
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

    static final class TooLong {
        @OrthJob(
                "x23456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 "
                        + "x23456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 12345678901")
        void run() {}
    }

    static final class Spaced {
        @OrthJob("x ")
        void run() {}
    }

    record Unfillable(Thread thread) {}

    static final class WrongRecord {
        @OrthJob("x")
        void run(Unfillable argument) {}
    }

    record Invoices(String customer, int limit) {}

    static final class RecordJobs {

        final List<Invoices> seen = new ArrayList<>();

        @OrthJob("invoices")
        void invoices(Invoices argument) {
            seen.add(argument);
        }
    }

    interface Declared {

        List<String> calls();

        @OrthJob("default")
        default void byDefault() {
            calls().add("default");
        }

        @OrthJob("declared")
        void declared();
    }

    static class Parent {

        final List<String> calls = new ArrayList<>();

        @OrthJob("parents")
        @SuppressWarnings("UnusedMethod")
        private void hidden() {
            calls.add("parent");
        }

        @OrthJob("original")
        void renamed() {
            calls.add("parent renamed");
        }
    }

    static final class Child extends Parent implements Declared {

        @OrthJob("mine")
        @SuppressWarnings("UnusedMethod")
        private void hidden() {
            calls.add("child");
        }

        @Override
        @OrthJob("renamed")
        void renamed() {
            calls.add("child renamed");
        }

        @Override
        public List<String> calls() {
            return calls;
        }

        @Override
        public void declared() {
            calls.add("declared");
        }
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
