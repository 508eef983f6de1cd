package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One rule decides when executors count as dead, written once: in SQL, in Java, and as durations. */
@Tag("must-kernel")
class LivenessLawTest {

    private static final Path JAVA = Path.of("src/main/java");
    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");

    /** Reads and writes the table that has the status; others ask {@code orth_is_gone}. */
    private static final String OWNER = "ExecutorRepository.java";

    private static final Pattern BY_STATUS = Pattern.compile("'(ONLINE|OFFLINE|DEAD)'");
    private static final Pattern OF_EXECUTORS = Pattern.compile("orth_executor\\b");

    /** An age that is compared, in SQL or in Java. */
    private static final Pattern BY_HEARTBEAT = Pattern.compile("last_beat_at\\s*(?:[<>]|between)"
            + "|[<>]=?\\s*(?:\\w+\\.)?last_beat_at|heartbeat_timeout_ms\\s*[/<>]"
            + "|lastBeatAt\\(\\)\\s*\\.\\s*(?:is|compare|until|plus)|between\\([^;]*lastBeatAt\\(\\)");

    private static final Pattern BY_AGE_OF_STATUS = Pattern.compile("\\be\\.status_at\\s*(?:[<>]|between)");

    /** These compare it with something other than the liveness rule. */
    private static final Map<String, String> COMPARE_HEARTBEATS = Map.of(
            OWNER,
            "finds those whose heartbeats are missing",
            "RunLosses.java",
            "a heartbeat since the executor got the run, or time for one: its response to an inquiry means something",
            "InFlightRepository.java",
            "the same for messages",
            "ForeignLosses.java",
            "XXL-JOB executors have a time of their own, and their runs are asked about by it");

    private static final Map<String, String> COMPARE_AGES_OF_STATUSES = Map.of(
            OWNER,
            "lists and prunes those that are not online",
            "DeclarationRepository.java",
            "whose declarations are in force, which has nothing to do with work");

    @Test
    void sqlOfOtherFeaturesUsesTheFunction() {
        assertThat(filesOf(
                        JAVA,
                        text -> OF_EXECUTORS.matcher(text).find()
                                && BY_STATUS.matcher(text).find()))
                .containsExactly(OWNER);
    }

    @Test
    void onlyTheseCompareHeartbeatsOrTheAgeOfAStatus() {
        assertThat(filesOf(JAVA, text -> BY_HEARTBEAT.matcher(text).find()))
                .containsExactlyInAnyOrderElementsOf(COMPARE_HEARTBEATS.keySet());
        assertThat(filesOf(
                        JAVA,
                        text -> OF_EXECUTORS.matcher(text).find()
                                && BY_AGE_OF_STATUS.matcher(text).find()))
                .isSubsetOf(COMPARE_AGES_OF_STATUSES.keySet())
                .contains("DeclarationRepository.java");
    }

    /** Tasks are lost with their messages. */
    @Test
    void runsAndMessagesUseTheSameLossCheck() {
        assertThat(filesOf(JAVA, text -> text.contains("orth_work_is_lost(e.status, e.status_at, :grace)")))
                .containsExactly("RunRepository.java", "WorkerRepository.java");
        assertThat(filesOf(MIGRATIONS, text -> text.contains("function orth_work_is_lost(")))
                .containsExactly("V3__registry.sql");
    }

    @Test
    void ownerOfTheTableNeverNegatesOnline() {
        assertThat(filesOf(JAVA, text -> text.contains("<> 'ONLINE'") || text.contains("!= 'ONLINE'")))
                .isEmpty();
    }

    @Test
    void theFunctionIsDefinedOnce() {
        assertThat(filesOf(MIGRATIONS, text -> text.contains("function orth_is_gone(")))
                .containsExactly("V3__registry.sql");
        assertThat(filesOf(MIGRATIONS, text -> text.contains("'ONLINE'")))
                .as("the table, its indexes, and the function")
                .containsExactly("V3__registry.sql");
    }

    @Test
    void javaUsesTheStatusMethod() {
        Set<String> registry = Set.of("Executors.java", "ExecutorStatus.java");

        assertThat(filesOf(JAVA, text -> text.contains("ExecutorStatus.ONLINE")))
                .allMatch(registry::contains);
        assertThat(filesOf(
                        JAVA,
                        text -> Pattern.compile("[!=]= ExecutorStatus\\.")
                                .matcher(text)
                                .find()))
                .isEmpty();
    }

    private static List<String> filesOf(Path directory, Predicate<String> wanted) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> wanted.test(read(file)))
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
