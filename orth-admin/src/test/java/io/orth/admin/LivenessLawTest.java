package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** There is one rule by which executors count as gone, written once: in SQL, in Java, and as durations. */
@Tag("must-kernel")
class LivenessLawTest {

    private static final Path JAVA = Path.of("src/main/java");
    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");

    /** Reads and writes the table that has the status; others ask {@code orth_is_gone}. */
    private static final String OWNER = "ExecutorRepository.java";

    private static final Pattern BY_STATUS = Pattern.compile("'(ONLINE|DEAD)'");
    private static final Pattern OF_EXECUTORS = Pattern.compile("orth_executor\\b");

    @Test
    void sqlOutsideTheOwnerOfTheTableAsksTheFunction() {
        assertThat(filesOf(
                        JAVA,
                        text -> OF_EXECUTORS.matcher(text).find()
                                && BY_STATUS.matcher(text).find()))
                .containsExactly(OWNER);
        assertThat(filesOf(JAVA, text -> text.contains("orth_is_gone(")))
                .contains("RunRepository.java", "WorkerRepository.java");
    }

    @Test
    void theOwnerOfTheTableNeverWritesTheOppositeOfOnline() {
        assertThat(filesOf(JAVA, text -> text.contains("<> 'ONLINE'") || text.contains("!= 'ONLINE'")))
                .isEmpty();
    }

    @Test
    void theFunctionIsDefinedOnce() {
        assertThat(filesOf(MIGRATIONS, text -> text.contains("function orth_is_gone(")))
                .as("made, and replaced by a form that uses indexes")
                .containsExactly("V39__liveness.sql", "V70__liveness_by_index.sql");
        assertThat(filesOf(MIGRATIONS, text -> text.contains("'ONLINE'")))
                .as("the table, its indexes, and the function")
                .containsExactlyInAnyOrder("V1__core.sql", "V39__liveness.sql", "V70__liveness_by_index.sql");
    }

    @Test
    void javaAsksTheStatusItself() {
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
