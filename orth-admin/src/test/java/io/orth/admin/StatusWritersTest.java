package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    private static final Path MIGRATIONS = Path.of("src", "main", "resources", "db", "migration");

    /** Java string literals, text blocks first because they may contain quotation marks. */
    private static final Pattern LITERAL = Pattern.compile(
            "(?s)/\\*.*?\\*/|//[^\\n]*|'(?:[^'\\\\]|\\\\.)'|\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

    /** Between two texts that are one statement: a plus sign, or an expression between two. */
    private static final Pattern JOINT = Pattern.compile("\\s*\\+\\s*(?:([\\w.]+(?:\\([^()]*\\))?)\\s*\\+\\s*)?");

    private static final Pattern UPDATE = Pattern.compile(
            "(?i)\\bupdate(?:\\s+only)?(?:\\s+([\\w.%$\"]+)(?:\\s*\\*)?(?:\\s+as)?(?:\\s+[\\w\"]+)?)?\\s+set\\b");

    private static final Pattern END_OF_SET = Pattern.compile("(?i)(?<!\\w)(?:where|from|returning)(?!\\w)");

    /** The name is not known where the text has a place for it. */
    private static final Pattern STATUS = Pattern.compile("(?i)(?<![\\w.])(?:alarm_)?status(?!\\w)|%\\w");

    /** Applies to jobs; other entities with an enabled flag have no state machine. */
    private static final Pattern ENABLED = Pattern.compile("(?i)(?<![\\w.])enabled(?!\\w)");

    private static final Pattern FUNCTION = Pattern.compile(
            "(?is)\\bcreate\\s+(?:or\\s+replace\\s+)?(?:function|procedure)\\s+(\\w+)\\s*\\(.*?\\bas\\s+(\\$\\w*\\$)(.*?)\\2");

    /** A trigger's own way to write a row. */
    private static final Pattern NEW_STATUS =
            Pattern.compile("(?i)(?:;|\\bbegin|\\bthen|\\belse|\\bloop)\\s*new\\.(?:alarm_)?status\\s*:?=");

    /** Cancels root jobs by the statement of the seed's runbook, as the lifecycle does, where no Java runs. */
    private static final String CANCELLING_FUNCTION = "orth_cancel_root_job";

    private static final List<String> WRITERS = List.of(
            // The primitive.
            "kernel/StatusTable.java",
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
            "run/RunLifecycle.java");

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
    void noOtherClassWritesAStatus() throws IOException {
        assertThat(sources(StatusWritersTest::writesStatus)).containsExactlyElementsOf(WRITERS);
    }

    @Test
    void onlyKnownClassesUseTheStatusPrimitive() throws IOException {
        assertThat(sources(source -> source.contains("StatusTable.<")))
                .containsExactlyElementsOf(USERS_OF_THE_PRIMITIVE);
    }

    @Test
    void eachKindHasOneLifecycle() throws IOException {
        assertThat(sources(source -> source.contains("new Lifecycle<"))).containsExactlyElementsOf(LIFECYCLES);
    }

    /** Functions as the last migration that defines them leaves them. */
    @Test
    void oneFunctionOfTheDatabaseWritesAStatus() {
        Map<String, String> functions = new TreeMap<>();
        migrations()
                .forEach(sql -> FUNCTION.matcher(sql)
                        .results()
                        .forEach(found -> functions.put(found.group(1), found.group(3))));

        assertThat(functions).containsKeys("orth_check_completion", "orth_add_run_meta", CANCELLING_FUNCTION);
        assertThat(functions.keySet().stream().filter(name -> sqlWritesStatus(functions.get(name))))
                .containsExactly(CANCELLING_FUNCTION);
        assertThat(migrations()
                        .flatMap(sql -> Pattern.compile(
                                        "(?is)create\\s+(?:constraint\\s+)?trigger\\s+(\\w+)\\s+[^;]*?\\s"
                                                + CANCELLING_FUNCTION)
                                .matcher(sql)
                                .results())
                        .map(found -> found.group(1)))
                .containsExactly("hydration_jobs_cancel");
    }

    /** A correction of data would be listed here, with its reason. */
    @Test
    void noMigrationWritesAStatusOutsideOfFunctions() {
        assertThat(migrations()
                        .filter(sql -> sqlWritesStatus(FUNCTION.matcher(sql).replaceAll(""))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update orth_run set status = 'FAILED' where id = 1",
                "update orth_run r\n   set seq = r.seq + 1,\n       status = w.to_status\n  from w",
                "update orth_operation\n   set status = case when :end then 'DONE' else status end",
                "update orth_run_history r set alarm_status = 2 from locked l where r.id = l.id",
                "update orth_job j\n   set enabled = not j.enabled",
                "insert into orth_x (id) values (1) on conflict do update set status = excluded.status",
                "update orth_run as r set status = 'FAILED'",
                "update only orth_run set status = 'FAILED'",
                "update only orth_run as r set seq = 1, status = 'FAILED'",
                "update %s t set status = w.target",
                "update %1$s set %2$s = 'FAILED'",
                "update orth_run set (status, seq) = ('FAILED', seq + 1)",
                "update orth_run set (seq, status) = (select 1, 'FAILED' from w where w.id = id)",
                "update orth_run set turn = (select max(turn) from t where t.id = 1), status = 'FAILED' where id = 1",
                "update orth_run set note = 'from, where (', status = 'FAILED' where id = 1",
                "merge into orth_run r using w on w.id = r.id when matched then update set status = 'FAILED'"
            })
    void detectsStatementThatWritesAStatus(String sql) {
        assertThat(writesStatus("String SQL = \"\"\"\n" + sql + "\n\"\"\";")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc.sql(\"update orth_run \" + \"set status = 'FAILED'\")",
                "jdbc.sql(\"update \" + TABLE + \" r set status = 'FAILED'\")",
                "jdbc.sql(\"update \" + table(1) + \" set seq = 1,\"\n + \" status = 'FAILED'\")",
                "StatusTable.of(\"orth_run\").set(\"status = 'FAILED'\")",
                "table.set(\"\"\"\n    seq = 1,\n    status = w.target\"\"\")"
            })
    void detectsJavaThatWritesAStatus(String java) {
        assertThat(writesStatus(java)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin\n    new.status := 'FAILED';\n    return new;\nend",
                "begin\n    if old.seq > 1 then new.status = 'FAILED'; end if;\nend",
                "begin\n    execute format('update %I set status = 1', t);\nend",
                "begin\n    update orth_run r set seq = 1, status = 'FAILED' where id = 1;\nend"
            })
    void detectsFunctionThatWritesAStatus(String body) {
        assertThat(sqlWritesStatus(body)).isTrue();
    }

    @Test
    void ignoresFunctionThatComparesAStatus() {
        assertThat(sqlWritesStatus("begin if new.status = 'A' or new.status <> 'B' then return null; end if; end"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update orth_alarm_channel set enabled = true where id = 1",
                "update orth_run set claim_until = now() where status = 'INIT'",
                "select id from orth_run where status = 'INIT' for update",
                "update orth_run r set status_at = now(), turn = case when r.status = 'INIT' then 1 end where id = 1",
                "update orth_run set turn = (select max(turn) from t where t.status = 'INIT') where id = 1",
                "update orth_run set (turn, seq) = (select 1, 2 from t where status = 'INIT')",
                "create trigger t after update of status on orth_run execute function f()"
            })
    void ignoresStatementsThatReadTheStatus(String sql) {
        assertThat(writesStatus("String SQL = \"\"\"\n" + sql + "\n\"\"\";")).isFalse();
    }

    private static boolean writesStatus(String java) {
        return statements(java).stream().anyMatch(StatusWritersTest::sqlWritesStatus);
    }

    /** The texts of a source, those put together by plus signs as one, with a place where an expression is. */
    private static List<String> statements(String java) {
        List<String> statements = new ArrayList<>();
        int end = -1;
        Matcher literal = LITERAL.matcher(java);
        while (literal.find()) {
            String text = literal.group(1) == null ? literal.group(2) : literal.group(1);
            if (text == null) {
                continue;
            }
            Matcher joint = JOINT.matcher(end < 0 ? "" : java.substring(end, literal.start()));
            if (joint.matches() && end >= 0) {
                int last = statements.size() - 1;
                statements.set(last, statements.get(last) + (joint.group(1) == null ? "" : "%s") + text);
            } else if (java.substring(0, literal.start()).stripTrailing().endsWith(".set(")) {
                statements.add("update %s set " + text);
            } else {
                statements.add(text);
            }
            end = literal.end();
        }
        return statements;
    }

    private static boolean sqlWritesStatus(String sql) {
        Matcher update = UPDATE.matcher(sql);
        while (update.find()) {
            boolean ofJobs = "orth_job".equals(update.group(1));
            for (String column : assigned(sql, update.end())) {
                if (STATUS.matcher(column).find()
                        || (ofJobs && ENABLED.matcher(column).find())) {
                    return true;
                }
            }
        }
        return NEW_STATUS.matcher(sql).find();
    }

    /** The targets of the assignments that start here: the text left of each first equals sign. */
    private static List<String> assigned(String sql, int from) {
        List<String> columns = new ArrayList<>();
        int depth = 0;
        int start = from;
        int at = from;
        Matcher keyword = END_OF_SET.matcher(sql).useTransparentBounds(true);
        for (; at < sql.length() && depth >= 0; at++) {
            char c = sql.charAt(at);
            if (c == '\'') {
                int close = sql.indexOf('\'', at + 1);
                at = close < 0 ? sql.length() - 1 : close;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (depth == 0 && c == ',') {
                columns.add(leftOf(sql.substring(start, at)));
                start = at + 1;
            } else if (depth == 0
                    && (c == ';' || keyword.region(at, sql.length()).lookingAt())) {
                break;
            }
        }
        columns.add(leftOf(sql.substring(start, Math.min(at, sql.length()))));
        return columns;
    }

    private static String leftOf(String assignment) {
        int equals = assignment.indexOf('=');
        return equals < 0 ? assignment : assignment.substring(0, equals);
    }

    /** In the order in which they are applied, without comments and without advice to people. */
    private static Stream<String> migrations() {
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            return files
                    .sorted(Comparator.comparingInt(file ->
                            Integer.parseInt(file.getFileName().toString().replaceAll("^V|__.*", ""))))
                    .map(file -> read(file)
                            .replaceAll("--[^\n]*", "")
                            .replaceAll("(?i)using\\s+hint\\s*=\\s*'(?:[^']|'')*'", ""))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
