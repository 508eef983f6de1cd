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
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether a failed attempt is followed by another, and when, is decided in one place. */
@Tag("must-kernel")
class RetryLawTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.orth.admin");

    /** An attempt compared with how many there may be, in Java or SQL. */
    private static final Pattern COMPARES =
            Pattern.compile("(?i)\\b(attempts?|tries)(\\(\\))? *(<|>|<=|>=) *[\\w.:()]*max_?(attempts|tries)"
                    + "|max_?(attempts|tries)(\\(\\))? *(<|>|<=|>=) *(?!MAX_)[\\w.:()]*(attempts?|tries)\\b");

    private static final Pattern DOUBLES = Pattern.compile("multipliedBy\\(1L? *<<|Math\\.pow\\(");

    /** Of what runs outside of admins; there the doubling of a duration is nothing else than a backoff. */
    private static final Pattern DOUBLES_OR_DOUBLE =
            Pattern.compile(DOUBLES.pattern() + "|multipliedBy\\(2\\)|final class \\w*Backoff\\b");

    @Test
    void theseDecideByTheOneDecision() {
        assertThat(callersOf("next"))
                .containsExactlyInAnyOrder(
                        "completion.Retries",
                        "queue.PostgresQueueDriver",
                        "pipeline.CarriedTasks",
                        "pipeline.OutboxDispatcher",
                        "alarm.AlarmSender");
        assertThat(callersOf("delayAfter")).containsExactly("transition.TransitionConfiguration");
    }

    @Test
    void thereIsOnePolicyAndOneBackoff() {
        assertThat(MAIN.stream().map(JavaClass::getSimpleName).filter(Set.of("RetryPolicy", "Backoff")::contains))
                .containsExactlyInAnyOrder("RetryPolicy", "Backoff");
    }

    /** A throttle of logins doubles too, and is no retry. */
    @Test
    void onlyTheDecisionComputesGrowingDelays() throws IOException {
        assertThat(sourcesWith(DOUBLES)).containsExactlyInAnyOrder("RetryDecision.java", "Strikes.java");
    }

    /** Rests between tries of one call or one delivery are no retries of work, and are doubled in one place as well. */
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
        try (Stream<Path> files = Files.walk(
                Path.of(System.getProperty("basedir", ".")).resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> pattern.matcher(read(file)).find())
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
