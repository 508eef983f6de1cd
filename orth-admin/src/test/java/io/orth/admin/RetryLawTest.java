package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.orth.admin.kernel.RetryDecision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a failed attempt is followed by another, and when, is decided in one place. */
@Tag("must-kernel")
class RetryLawTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.orth.admin");

    /** An attempt that is compared with anything, or a maximum with an attempt or a rest of them, in Java or SQL. */
    private static final Pattern COMPARES = Pattern.compile("(?i)\\b(attempts?|tries)(\\(\\))? +(<|>|<=|>=) +[\\w(:]"
            + "|[\\w):] +(<|>|<=|>=) +[\\w.:()]*\\b(attempts?|tries)\\b"
            + "|max_?(attempts|tries)(\\(\\))? +(<|>|<=|>=) +(?!MAX_)[\\w.:()]*(attempts?|tries)\\b"
            + "|max_?(attempts|tries)(\\(\\))? +- +[\\w.:()]+\\)? +(<|>|<=|>=|==|!=) ");

    private static final Pattern DOUBLES = Pattern.compile(
            "(?i)multipliedBy\\((?:1L? *<<|2L?\\))|Math\\.pow\\(|\\bpower\\(|delay\\w* *\\*=? *2\\b|\\b2 *\\* *\\w*delay");

    /** Doubles a duration without being a growing delay. */
    private static final Map<String, String> TWICE_ONLY = Map.of(
            "Strikes.java", "a throttle of logins doubles, and is no retry",
            "WebhookDispatcher.java", "a request and its response have a timeout each",
            "WebhookTransport.java", "the same",
            "WebhookSink.java", "the same",
            "LostWorkDetector.java", "the age from which on executors are asked about work",
            "RegistryProperties.java", "two renewals of a lease");

    /** Retried by a fixed delay or policy, whatever its name suggests. */
    private static final Pattern CONSTANT = Pattern.compile("static final (?:(?:RetryPolicy|Backoff) (\\w+)"
            + "|(?:Duration|int|long|double) (\\w*(?:RETRY|RETRIES|DELAY|AGAIN|BACKOFF)\\w*)) =");

    private static final Map<String, String> CONSTANTS = Map.of(
            "AfterRun.NO_RETRIES", "of jobs that have no policy",
            "Backoff.DEFAULT", "of what has no backoff of its own",
            "CompletionIntake.POLICY", "no setting, as what it bounds is a fault",
            "JobMapper.BACKOFF", "of imported jobs",
            "LogArchiver.TRY_AGAIN_NANOS", "lines are kept until the archive takes them; nothing else waits for it",
            "MessageSpec.LONGEST_DELAY", "a limit of what is asked for",
            "RunKiller.AGAIN", "an executor is asked again as long as the run has not ended, which has its own bounds",
            "TriggerDispatcher.LOOK_AGAIN", "a poll",
            "WorkDesk.LOOK_AGAIN", "a poll");

    /** Of what runs outside of admins; there the doubling of a duration is nothing else than a backoff. */
    private static final Pattern DOUBLES_OR_DOUBLE = Pattern.compile(DOUBLES.pattern() + "|final class \\w*Backoff\\b");

    @Test
    void theseDecideByTheOneDecision() {
        assertThat(callersOf("next"))
                .containsExactlyInAnyOrder(
                        "completion.Retries",
                        "queue.PostgresQueueDriver",
                        "queue.CompletionIntake",
                        "pipeline.OutboxDispatcher",
                        "alarm.AlarmSender");
        assertThat(callersOf("afterLoss"))
                .containsExactlyInAnyOrder("completion.Retries", "queue.PostgresQueueDriver", "pipeline.CarriedTasks");
        assertThat(callersOf("delayAfter")).containsExactly("transition.TransitionConfiguration");
    }

    /** These ask only whether another attempt exists and start it immediately. */
    @Test
    void classesThatDecideRetriesApplyTheDelay() {
        Set<String> deciders = new HashSet<>(callersOf("next"));
        deciders.addAll(callersOf("afterLoss"));

        assertThat(callersOf("delay")).containsExactlyInAnyOrderElementsOf(deciders);
    }

    @Test
    void noOtherDelayOfARetryIsAConstant() throws IOException {
        assertThat(constantsOf(sources(Path.of("")))).containsExactlyInAnyOrderElementsOf(CONSTANTS.keySet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "private static final Duration RETRY_DELAY = Duration.ofMinutes(1);",
                "static final Duration SEND_RETRY = Duration.ofMinutes(1);",
                "private static final long DELAY_MILLIS = 1_000;",
                "private static final int RETRIES = 5;",
                "private static final RetryPolicy SENDING =\n            new RetryPolicy(3, BACKOFF);"
            })
    void noConstantIsMissed(String source) {
        assertThat(source).containsPattern(CONSTANT);
    }

    @Test
    void thereIsOnePolicyAndOneBackoff() {
        assertThat(MAIN.stream().map(JavaClass::getSimpleName).filter(Set.of("RetryPolicy", "Backoff")::contains))
                .containsExactlyInAnyOrder("RetryPolicy", "Backoff");
    }

    @Test
    void onlyTheDecisionComputesGrowingDelays() throws IOException {
        Set<String> known = new HashSet<>(TWICE_ONLY.keySet());
        known.add("RetryDecision.java");

        assertThat(sourcesWith(DOUBLES)).containsExactlyInAnyOrderElementsOf(known);
        assertThat(migrationsWith(DOUBLES)).isEmpty();
    }

    /** Pauses between attempts of one call or delivery are not retries of work; they too are doubled in one place. */
    @Test
    void outsideOfAdminsOneClassComputesGrowingDelays() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : List.of("orth-runtime", "orth-client", "orth-executor", "orth-cli")) {
            found.addAll(sourcesWith(DOUBLES_OR_DOUBLE, Path.of("..", module)));
        }

        assertThat(found).containsExactly("DoublingDelay.java");
    }

    @Test
    void onlyTheDecisionComparesAttemptsWithTheirMaximum() throws IOException {
        assertThat(sourcesWith(COMPARES)).containsExactlyInAnyOrder("RetryDecision.java");
    }

    /** The pattern of the test above is as good as what it finds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (attempt < attempts) {",
                "if (attempt >= limit) {",
                "return limit > task.attempts();",
                "if (task.attempts() <= task.maxAttempts()) {",
                "boolean more = maxAttempts - attempts > 0;",
                "boolean more = task.maxAttempts() - task.attempts() != 0;",
                "and m.attempt < m.max_attempts"
            })
    void noComparisonOfAttemptsIsMissed(String source) {
        assertThat(source).containsPattern(COMPARES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delay = delay.multipliedBy(2);",
                "Duration.ofSeconds(1).multipliedBy(1L << attempt)",
                "first * power(2, m.attempt - 1)",
                "delay *= 2;",
                "long next = 2 * delay;"
            })
    void noGrowingDelayIsMissed(String source) {
        assertThat(source).containsPattern(DOUBLES);
    }

    private static Set<String> callersOf(String method) {
        return MAIN.get(RetryDecision.class).getMethodCallsToSelf().stream()
                .filter(call -> call.getTarget().getName().equals(method))
                .map(call -> call.getOriginOwner())
                .map(type -> type.getFullName().replaceAll("\\$.*", "").replace("io.orth.admin.", ""))
                .filter(name -> !name.equals("kernel.RetryDecision"))
                .collect(Collectors.toSet());
    }

    private static List<String> sourcesWith(Pattern pattern) throws IOException {
        return sourcesWith(pattern, Path.of(""));
    }

    private static List<String> sourcesWith(Pattern pattern, Path module) throws IOException {
        return sources(module).stream()
                .filter(file -> pattern.matcher(read(file)).find())
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private static List<String> constantsOf(List<Path> files) {
        return files.stream()
                .flatMap(file -> CONSTANT.matcher(read(file))
                        .results()
                        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                        .map(name -> file.getFileName().toString().replace("java", "") + name))
                .toList();
    }

    private static List<Path> sources(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(
                Path.of(System.getProperty("basedir", ".")).resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static List<String> migrationsWith(Pattern pattern) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
            return files.filter(file -> pattern.matcher(read(file)).find())
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
