package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A status is written by the one primitive, and by a few classes that are named here with their reason. */
@Tag("must-kernel")
class StatusWritersTest {

    private static final Path MAIN = Path.of("src", "main", "java", "io", "orth", "admin");

    private static final Pattern UPDATE = Pattern.compile(
            "(?is)\\bupdate\\s+(?:(\\w+)\\s+)?(?:\\w+\\s+)?set\\b(.*?)(?:\\bwhere\\b|\\breturning\\b|\"\"\"|\";|\\z)");

    private static final Pattern STATUS = Pattern.compile("(?i)(?<![\\w.])(?:alarm_)?status\\s*=");

    /** Of jobs; what else can be enabled has no state machine. */
    private static final Pattern ENABLED = Pattern.compile("(?i)(?<![\\w.])enabled\\s*=");

    private static final List<String> WRITERS = List.of(
            // The content of a task is worth what has become of the task; TaskStep says so in the transaction that ends
            // it.
            "pipeline/ContentLog.java",
            // The hot statements of messages, measured one by one; MessageStep runs them through Lifecycle.
            "queue/MessageMoves.java");

    private static final List<String> USERS_OF_THE_PRIMITIVE = List.of(
            "alarm/AlarmRepository.java",
            "alarm/RunAlarms.java",
            "deadletter/OperationRepository.java",
            "job/JobLifecycle.java",
            "pipeline/PipelineRunRepository.java",
            "pipeline/TaskStep.java",
            "registry/ExecutorRepository.java",
            "run/MoveRepository.java");

    private static final List<String> LIFECYCLES = List.of(
            "alarm/AlarmRepository.java",
            "alarm/RunAlarms.java",
            "deadletter/OperationRepository.java",
            "job/JobLifecycle.java",
            "pipeline/PipelineRunRepository.java",
            "pipeline/TaskStep.java",
            "queue/MessageStep.java",
            "registry/Executors.java",
            "run/RunLifecycle.java");

    @Test
    void nothingElseWritesAStatus() throws IOException {
        assertThat(sources(StatusWritersTest::writesStatus)).containsExactlyElementsOf(WRITERS);
    }

    @Test
    void theStatementsOfThePrimitiveAreWhereStatusesAreChanged() throws IOException {
        assertThat(sources(source -> source.contains("StatusTable.<")))
                .containsExactlyElementsOf(USERS_OF_THE_PRIMITIVE);
    }

    @Test
    void eachKindHasOneLifecycle() throws IOException {
        assertThat(sources(source -> source.contains("new Lifecycle<"))).containsExactlyElementsOf(LIFECYCLES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update orth_run set status = 'FAILED' where id = 1",
                "update orth_run r\n   set seq = r.seq + 1,\n       status = w.to_status\n  from w",
                "update orth_operation\n   set status = case when :end then 'DONE' else status end",
                "update orth_run_history r set alarm_status = 2 from locked l where r.id = l.id",
                "update orth_job j\n   set enabled = not j.enabled",
                "insert into orth_x (id) values (1) on conflict do update set status = excluded.status"
            })
    void aStatementThatWritesOneIsFound(String sql) {
        assertThat(writesStatus("String SQL = \"\"\"\n" + sql + "\n\"\"\";")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update orth_alarm_channel set enabled = true where id = 1",
                "update orth_run set claim_until = now() where status = 'INIT'",
                "select id from orth_run where status = 'INIT' for update",
                "update orth_run r set status_at = now(), turn = case when r.status = 'INIT' then 1 end where id = 1"
            })
    void oneThatReadsItIsNot(String sql) {
        assertThat(writesStatus("String SQL = \"\"\"\n" + sql + "\n\"\"\";")).isFalse();
    }

    private static boolean writesStatus(String source) {
        Matcher update = UPDATE.matcher(source);
        while (update.find()) {
            boolean ofJobs = "orth_job".equals(update.group(1));
            if (STATUS.matcher(update.group(2)).find()
                    || (ofJobs && ENABLED.matcher(update.group(2)).find())) {
                return true;
            }
        }
        return false;
    }

    private static List<String> sources(Predicate<String> which) throws IOException {
        try (Stream<Path> files = Files.walk(MAIN)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> which.test(read(file)))
                    .map(file -> MAIN.relativize(file).toString())
                    .sorted()
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
