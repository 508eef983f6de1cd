package io.orth.admin;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.orth.admin.kernel.Journal;
import io.orth.admin.kernel.StateChanges;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Primary;
import org.springframework.web.bind.annotation.RestController;

/** The rules of the house that a machine can hold. */
class ArchitectureTest {

    private static final String ADMIN = "io.orth.admin.";

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.orth.admin");

    /** Where any feature but the kernel may publish. */
    private static final String SYSTEM_LOG = "systemlog";

    /** Which features each feature may use, besides the system log. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry("kernel", Set.of()),
            entry("transition", Set.of("kernel")),
            entry("security", Set.of("kernel")),
            entry(SYSTEM_LOG, Set.of("kernel")),
            entry("registry", Set.of("kernel", "transition")),
            entry("job", Set.of("kernel", "transition")),
            entry("run", Set.of("kernel", "job", "transition")),
            entry("deadletter", Set.of("kernel")),
            entry("queue", Set.of("kernel", "transition", "registry", "deadletter")),
            entry("pipeline", Set.of("kernel", "transition", "queue", "alarm")),
            entry("triggering", Set.of("kernel", "job", "run", "registry")),
            entry("scheduling", Set.of("kernel", "job", "run", "triggering")),
            entry("completion", Set.of("kernel", "job", "run", "registry", "triggering", "deadletter")),
            entry("alarm", Set.of("kernel", "job", "run", "registry")),
            entry("queuealert", Set.of("kernel", "queue", "alarm")),
            entry("declaration", Set.of("kernel", "job", "security")),
            entry("history", Set.of("kernel", "run")),
            entry("xxlimport", Set.of("kernel", "job", "registry", "security")),
            entry(
                    "api",
                    Set.of(
                            "kernel",
                            "transition",
                            "security",
                            "registry",
                            "job",
                            "run",
                            "deadletter",
                            "queue",
                            "pipeline",
                            "triggering",
                            "scheduling",
                            "alarm",
                            "queuealert",
                            "declaration",
                            "history",
                            "xxlimport")),
            entry(
                    "boot",
                    Set.of(
                            "kernel",
                            "transition",
                            "security",
                            "registry",
                            "job",
                            "run",
                            "deadletter",
                            "queue",
                            "pipeline",
                            "triggering",
                            "scheduling",
                            "completion",
                            "alarm",
                            "queuealert",
                            "declaration",
                            "history",
                            "xxlimport",
                            "api")));

    static Set<String> features() {
        return MAY_USE.keySet();
    }

    @Test
    void everyFeatureIsInTheTable() {
        Set<String> found = MAIN.stream()
                .map(type -> type.getPackageName().substring(ADMIN.length()).replaceAll("\\..*", ""))
                .collect(Collectors.toSet());

        assertThat(found).isEqualTo(features());
    }

    @ParameterizedTest
    @MethodSource("features")
    void featureUsesOnlyAllowedFeatures(String feature) {
        Set<String> forbidden = new HashSet<>(features());
        forbidden.removeAll(MAY_USE.get(feature));
        forbidden.remove(feature);
        if (!feature.equals("kernel")) {
            forbidden.remove(SYSTEM_LOG);
        }
        String[] packages =
                forbidden.stream().map(other -> ADMIN + other + "..").toArray(String[]::new);

        if (packages.length > 0) {
            check(noClasses()
                    .that()
                    .resideInAPackage(ADMIN + feature + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages));
        }
    }

    @Test
    void featuresHaveNoCycles() {
        check(slices().matching(ADMIN + "(*)..").should().beFreeOfCycles());
    }

    @Test
    void theAdminKnowsNothingOfTheExecutor() {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("io.orth.executor..", "io.orth.testkit.."));
    }

    @Test
    void timeComesFromAnInjectedClock() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ADMIN + "kernel.DatabaseClock")
                .and()
                .doNotHaveFullyQualifiedName(ADMIN + "kernel.Ticker")
                .should()
                .accessTargetWhere(call("the wall clock", ArchitectureTest::readsTheWallClock))
                .orShould()
                .callConstructor(Date.class)
                .orShould()
                .callMethod(Calendar.class, "getInstance"));
    }

    @Test
    void createsThreadsInOneClassOnly() {
        check(noClasses().should().accessTargetWhere(call("makes threads", ArchitectureTest::createsThreads)));
    }

    @Test
    void nothingSleeps() {
        check(noClasses()
                .should()
                .accessTargetWhere(call(
                        "sleeps",
                        target -> target.getName().equals("sleep")
                                && target.getOwner().getPackageName().startsWith("java."))));
    }

    @Test
    void onlyAFailedStartPrints() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ADMIN + "boot.StartFailureReporter")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err"));
    }

    @Test
    void loggingGoesThroughSlf4j() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.apache.commons.logging..", "ch.qos.logback.."));
    }

    @Test
    void injectsDependenciesThroughConstructorsOnly() {
        check(fields().should().notBeAnnotatedWith(Autowired.class).andShould().notBeAnnotatedWith(Value.class));
    }

    @Test
    void controllersAreInApiPackageAndNotPublic() {
        check(classes()
                .that()
                .areAnnotatedWith(RestController.class)
                .should()
                .resideInAPackage(ADMIN + "api")
                .andShould()
                .notBePublic());
    }

    @Test
    void repositoriesAreTheirFeaturesOwn() {
        check(classes().that().haveSimpleNameEndingWith("Repository").should().notBePublic());
    }

    @Test
    void thereIsNoStateButInObjects() {
        check(fields().that()
                .areStatic()
                .and(describe(
                        "are written by hand", field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC)))
                .should()
                .beFinal());
    }

    /** The gateways are the only way out; their callers must not open transactions. */
    @Test
    void executorCallersHoldNoTransaction() {
        List<JavaClass> gateways = Stream.of("ExecutorGateway", "ForeignGateway", "RunSender", "ExecutorHttp")
                .map(name -> MAIN.get(ADMIN + "triggering." + name))
                .toList();
        List<String> callers = gateways.stream()
                .flatMap(gateway -> gateway.getAccessesToSelf().stream())
                .map(access -> access.getOriginOwner())
                .filter(type -> !gateways.contains(type))
                .map(JavaClass::getSimpleName)
                .distinct()
                .toList();

        assertThat(callers)
                .contains(
                        "TriggerDispatcher",
                        "UnsentRunRescuer",
                        "RunLogs",
                        "ForeignLogs",
                        "ForeignKiller",
                        "IdleWatch");
        check(noClasses()
                .that(describe("call a gateway", type -> callers.contains(type.getSimpleName())))
                .should()
                .dependOnClassesThat(resideInAPackage("org.springframework.transaction..")
                        .or(describe(
                                "Transactions", type -> type.getFullName().equals(ADMIN + "kernel.Transactions")))));
    }

    @Test
    void readersOfForeignDatabasesHoldNoTransaction() {
        check(noClasses()
                .that()
                .resideInAPackage(ADMIN + "xxlimport")
                .and()
                .containAnyMethodsThat(describe(
                        "read a foreign database",
                        method -> method.getMethodCallsFromSelf().stream()
                                .anyMatch(call ->
                                        call.getTargetOwner().getSimpleName().equals("XxlJobDatabase"))))
                .should()
                .dependOnClassesThat(resideInAPackage("org.springframework.transaction..")
                        .or(describe(
                                "Transactions", type -> type.getFullName().equals(ADMIN + "kernel.Transactions")))));
    }

    /** So that what is injected is what is declared: no bean hides another of its kind. */
    @Test
    @Tag("must-kernel")
    void onlyTheDataSourceHasAPrimaryBean() {
        assertThat(MAIN.stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.isAnnotatedWith(Primary.class))
                        .map(method -> method.getRawReturnType().getName()))
                .containsExactly(DataSource.class.getName());
        check(noClasses().should().beAnnotatedWith(Primary.class));
    }

    /** Reactions to a status change are in the list of listeners, and nowhere around or behind the journal. */
    @Test
    @Tag("must-kernel")
    void stateTransitionsHaveNoDecorators() {
        JavaClass changes = MAIN.get(StateChanges.class);
        JavaClass journal = MAIN.get(Journal.class);

        assertThat(changes.getModifiers()).contains(JavaModifier.FINAL);
        assertThat(changes.getConstructorCallsToSelf())
                .extracting(call -> call.getOriginOwner().getFullName())
                .containsExactlyInAnyOrder(StateChanges.class.getName(), ADMIN + "transition.TransitionConfiguration");
        assertThat(MAIN.stream()
                        .filter(type -> type.isAssignableTo(Journal.class) && !type.equals(journal))
                        .map(JavaClass::getFullName))
                .containsExactly(ADMIN + "transition.TransitionJournal");
        assertThat(journal.getDirectDependenciesToSelf())
                .extracting(dependency -> dependency.getOriginClass().getFullName())
                .containsOnly(StateChanges.class.getName(), ADMIN + "transition.TransitionJournal");
    }

    private static void check(ArchRule rule) {
        rule.check(MAIN);
    }

    /** Calls and method references. */
    private static DescribedPredicate<JavaAccess<?>> call(String what, Predicate<CodeUnitAccessTarget> target) {
        return describe(
                what, access -> access.getTarget() instanceof CodeUnitAccessTarget codeUnit && target.test(codeUnit));
    }

    private static boolean readsTheWallClock(CodeUnitAccessTarget target) {
        if (isOn(target, Clock.class)) {
            return target.getName().startsWith("system") || target.getName().startsWith("tick");
        }
        if (isOn(target, System.class)) {
            return Set.of("currentTimeMillis", "nanoTime").contains(target.getName());
        }
        return target.getOwner().getPackageName().equals("java.time")
                && target.getName().equals("now")
                && !takes(target, Clock.class);
    }

    private static boolean createsThreads(CodeUnitAccessTarget target) {
        if (isOn(target, CompletableFuture.class)) {
            return target.getName().endsWith("Async") && !takes(target, Executor.class);
        }
        if (target.getName().equals("<init>")) {
            return Stream.of(Thread.class, ThreadPoolExecutor.class, Timer.class)
                    .anyMatch(target.getOwner()::isAssignableTo);
        }
        return isOn(target, Executors.class) || target.getName().equals("parallelStream");
    }

    private static boolean isOn(CodeUnitAccessTarget target, Class<?> owner) {
        return target.getOwner().isEquivalentTo(owner);
    }

    private static boolean takes(CodeUnitAccessTarget target, Class<?> parameter) {
        return target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(parameter));
    }
}
