package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.BackoffMillis;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Declarations in code, and those that fail at the start rather than in the admin. */
@Tag("must-runs")
class JobDeclarationTest {

    private static final ZoneId HERE = ZoneId.of("Asia/Tokyo");

    static class Nightly {
        @OrthJob(value = "nightly", cron = " 0 0 3 * * ? ", zone = "Europe/Berlin")
        void run() {}
    }

    static class Full {
        @OrthJob(
                value = "handler",
                job = "Everything",
                fixedRate = "30s",
                param = "{}",
                misfire = MisfirePolicy.FIRE_ALL,
                block = BlockStrategy.CONCURRENT,
                blockScope = BlockScope.CLUSTER,
                concurrency = 4,
                route = RouteStrategy.FAILOVER,
                timeout = "5m",
                maxAttempts = 4,
                backoff = "PT2S")
        void run() {}
    }

    @Test
    void aMethodDeclaresAJobOfItsHandlersName() {
        assertThat(declaredBy(new Nightly()))
                .containsExactly(new DeclaredJob(
                        "nightly",
                        "nightly",
                        "",
                        new DeclaredJob.Schedule("CRON", "0 0 3 * * ?", "Europe/Berlin", null),
                        new DeclaredJob.Rules("FIRE_ONCE", "SERIAL", "EXECUTOR", 1, 0, "ROUND", 1, null)));
    }

    @Test
    void methodDeclaresAllJobSettings() {
        assertThat(declaredBy(new Full()))
                .containsExactly(new DeclaredJob(
                        "Everything",
                        "handler",
                        "{}",
                        new DeclaredJob.Schedule("FIXED_RATE", null, null, 30_000L),
                        new DeclaredJob.Rules(
                                "FIRE_ALL",
                                "CONCURRENT",
                                "CLUSTER",
                                4,
                                300,
                                "FAILOVER",
                                4,
                                new BackoffMillis(2_000L, null, null, null))));
    }

    static class Handler {
        @OrthJob("plain")
        void run() {}
    }

    static class Unscheduled {
        @OrthJob(value = "handler", job = "by hand")
        void run() {}
    }

    static class SwitchedOff {
        @OrthJob(value = "off", cron = "${off.cron}", zone = "UTC")
        void run() {}
    }

    @Test
    void handlerAloneDeclaresNoJob() {
        assertThat(declaredBy(new Handler())).isEmpty();
        assertThat(declaredBy(new Unscheduled()))
                .extracting(DeclaredJob::name, DeclaredJob::schedule)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("by hand", null));
    }

    @Test
    void dashDisablesSchedule() throws Exception {
        assertThat(declaration(SwitchedOff.class, text -> "-").toWire(HERE).schedule())
                .isNull();
        assertThatThrownBy(() -> declaration(SwitchedOff.class, text -> " "))
                .hasMessageStartingWith("@OrthJob on " + SwitchedOff.class.getName() + ".run(): cron '${off.cron}'");
    }

    @Test
    void resolvesPlaceholdersInPlainJava() {
        HandlerRegistry registry = HandlerRegistry.builder()
                .addMethodsOf(new SwitchedOff(), text -> text.replace("${off.cron}", "0 0 4 * * ?"))
                .build();

        assertThat(registry.declarations(HERE).get(0).schedule().cron()).isEqualTo("0 0 4 * * ?");
    }

    @Test
    void plainJavaDeclaresOneToo() {
        HandlerRegistry registry = HandlerRegistry.builder()
                .add("h", context -> RunResult.success())
                .declare(JobDeclaration.of("clean up")
                        .handler("h")
                        .fixedDelay(Duration.ofMinutes(5))
                        .build())
                .declare(JobDeclaration.of("report")
                        .handler("h")
                        .cron("0 0 3 * * ?")
                        .build())
                .build();

        assertThat(registry.declaredJobs()).containsExactlyInAnyOrder("clean up", "report");
        assertThat(registry.declarations(HERE))
                .extracting(DeclaredJob::schedule)
                .containsExactly(
                        new DeclaredJob.Schedule("FIXED_DELAY", null, null, 300_000L),
                        new DeclaredJob.Schedule("CRON", "0 0 3 * * ?", "Asia/Tokyo", null));
    }

    static class Both {
        @OrthJob(value = "both", cron = "0 0 3 * * ?", fixedRate = "30s")
        void run() {}
    }

    static class BadCron {
        @OrthJob(value = "x", cron = "0 3 * * *")
        void run() {}
    }

    static class BadZone {
        @OrthJob(value = "x", cron = "0 0 3 * * ?", zone = "Mars/Olympus")
        void run() {}
    }

    static class BadText {
        @OrthJob(value = "x", fixedRate = "soon")
        void run() {}
    }

    static class TooFast {
        @OrthJob(value = "x", fixedDelay = "99")
        void run() {}
    }

    static class HalfSecond {
        @OrthJob(value = "x", job = "x", timeout = "1500ms")
        void run() {}
    }

    static class Crowd {
        @OrthJob(value = "x", job = "x", concurrency = 2)
        void run() {}
    }

    static class NothingDeclared {
        @OrthJob(value = "x", maxAttempts = 2)
        void run() {}
    }

    static class ZoneOfNothing {
        @OrthJob(value = "x", fixedRate = "30s", zone = "UTC")
        void run() {}
    }

    @Test
    void rejectsInvalidDeclarationAtStartNamingTheMethod() {
        refused(new Both(), "only one of cron, fixedRate and fixedDelay can be set");
        refused(new BadCron(), "cron '0 3 * * *' has 5 fields; it takes 6 or 7, seconds first");
        refused(new BadZone(), "zone 'Mars/Olympus' is no time zone such as Europe/Berlin");
        refused(new BadText(), "fixedRate 'soon' is no duration such as 30s, 5m or PT30S");
        refused(new TooFast(), "fixedDelay must be between PT0.1S and PT8784H");
        refused(new HalfSecond(), "timeout must be whole seconds");
        refused(new Crowd(), "concurrency is only for the block strategy CONCURRENT");
        refused(new NothingDeclared(), "only a job that is declared has more; set cron, fixedRate, fixedDelay or job");
        refused(new ZoneOfNothing(), "a zone belongs to a cron expression");
    }

    static class SameJob {
        @OrthJob(value = "one", job = "twice", fixedRate = "1s")
        void one() {}

        @OrthJob(value = "two", job = "twice", fixedRate = "1s")
        void two() {}
    }

    @Test
    void rejectsDuplicateDeclarationNamingBoth() {
        ThrowingCallable start = () -> HandlerRegistry.builder().addMethodsOf(new SameJob());

        assertThatThrownBy(start)
                .hasMessageContaining("the job 'twice' is declared twice")
                .hasMessageContaining("SameJob.one()")
                .hasMessageContaining("SameJob.two()");
    }

    @Test
    void rejectsDeclarationOfUnknownHandler() {
        HandlerRegistry.Builder builder = HandlerRegistry.builder()
                .add("h", context -> RunResult.success())
                .declare(JobDeclaration.of("job").handler("typo").build());

        assertThatThrownBy(builder::build).hasMessage("the job 'job': there is no handler 'typo', only [h]");
    }

    @Test
    void declarationsAreBoundedInNumberAndSize() {
        HandlerRegistry.Builder many = HandlerRegistry.builder().add("h", context -> RunResult.success());
        IntStream.rangeClosed(0, DeclaredJobs.MOST)
                .forEach(i ->
                        many.declare(JobDeclaration.of("job " + i).handler("h").build()));
        HandlerRegistry.Builder large = HandlerRegistry.builder().add("h", context -> RunResult.success());
        IntStream.range(0, 20)
                .forEach(i -> large.declare(JobDeclaration.of("job " + i)
                        .handler("h")
                        .param("p".repeat(65_000))
                        .build()));

        assertThatThrownBy(many::build).hasMessageStartingWith("1001 jobs are declared; at most 1000 can be");
        assertThatThrownBy(large::build).hasMessageStartingWith("20 jobs are declared; at most 1000 can be");
    }

    @ParameterizedTest
    @CsvSource({
        "30s,30000",
        "500ms,500",
        "5m,300000",
        "2h,7200000",
        "1d,86400000",
        "PT1.5S,1500",
        "1500,1500",
        "' 3 s ',3000"
    })
    void readsDurations(String text, long millis) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1w", "9999999999999999999", "999999999999999d", "1 000", "P"})
    void rejectsInvalidDurations(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is no duration such as 30s, 5m or PT30S", text);
    }

    private static List<DeclaredJob> declaredBy(Object jobs) {
        return HandlerRegistry.builder().addMethodsOf(jobs).build().declarations(HERE);
    }

    private static void refused(Object jobs, String why) {
        assertThatThrownBy(() -> HandlerRegistry.builder().addMethodsOf(jobs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("@OrthJob on %s.run(): %s", jobs.getClass().getName(), why);
    }

    private static JobDeclaration declaration(Class<?> type, UnaryOperator<String> texts) throws Exception {
        var method = type.getDeclaredMethod("run");
        var target = MethodJobHandler.Target.of(type.getDeclaredConstructor().newInstance());
        return MethodJobHandler.of(method.getAnnotation(OrthJob.class), target, method, texts)
                .declaration()
                .orElseThrow();
    }
}
