package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.transition.TransitionStatements;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * No statement about transitions reads a whole table, nor a whole index of one. A journal that has been relayed is empty
 * but for dead rows, and a vacuum then makes the planner believe that it always is: every way to read it seems to cost nothing, and
 * the plan is kept when it has filled.
 */
@Tag("must-transitions")
class TransitionPlansDbTest {

    private static final Pattern WHOLE_READ = Pattern.compile("Seq Scan on (orth_transition\\w*|orth_journal)\\s");
    private static final Pattern INDEX_READ = Pattern.compile(
            "(?:Index (?:Only )?Scan(?: Backward)? using (\\w+) on (?:orth_journal|orth_transition\\w*)\\s"
                    + "|Bitmap Index Scan on (orth_(?:journal|transition)_\\w+))");
    private static final int TRANSITIONS = 200_000;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    @BeforeAll
    static void fill() {
        JdbcClient jdbc = JdbcClient.create(db.dataSource());
        jdbc.sql("insert into orth_writer (node_id, host, pid, version, thread) values ('n', 'h', 1, 'v', 't')")
                .update();
        jdbc.sql("""
                insert into orth_transition (entity, entity_id, seq, from_status, to_status, at, millis_in_from, cause, job_id,
                                             executor_id, writer_id, batch)
                select 'RUN', n / 3, 1 + n % 3, 'A', 'B', now() - n * interval '5 seconds', 1, 'TEST', 1, 1, 1, n / 10
                  from generate_series(1, :transitions) n
                """).param("transitions", TRANSITIONS).update();
        jdbc.sql("insert into orth_journal (changes, position) select 10, n from generate_series(1, 20000) n")
                .update();
        jdbc.sql("insert into orth_journal (changes) select 10 from generate_series(1, 20000)")
                .update();
        jdbc.sql("delete from orth_journal").update();
        jdbc.sql("vacuum analyze").update();
        PlannerSettings.asInThePoolWithAllPartitions(jdbc);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void noTableAndNoIndexIsReadAsAWhole(int size) {
        assertThat(JdbcClient.create(db.dataSource())
                        .sql("select reltuples from pg_class where relname = 'orth_journal'")
                        .query(Double.class)
                        .single())
                .as("what the planner believes")
                .isZero();
        ExplainedStatements explained =
                ExplainedStatements.ofAll(new DriverManagerDataSource(db.url(), db.user(), db.password()));
        DataSource database = explained.dataSource();
        AdminFixture admin = new AdminFixture(database, Clock.systemUTC());
        explained.clear();

        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(transaction -> {
            TransitionStatements.exercise(admin, size);
            transaction.setRollbackOnly();
        });

        assertThat(explained.plans()).hasSizeGreaterThan(20);
        assertThat(explained.plans().stream().flatMap(plan -> wholeReads(plan).stream()))
                .isEmpty();
    }

    private static List<String> wholeReads(ExplainedStatements.Plan plan) {
        List<String> lines = plan.text().lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> WHOLE_READ.matcher(lines.get(i)).find() || readsWholeIndex(lines, i))
                .mapToObj(
                        i -> "%s in the plan of%n%s%n%s".formatted(lines.get(i).strip(), plan.sql(), plan.text()))
                .toList();
    }

    /** In the index's own order, until there is enough of it or any at all, is no whole read. */
    private static boolean readsWholeIndex(List<String> lines, int i) {
        Matcher read = INDEX_READ.matcher(lines.get(i));
        boolean hasCondition = i + 1 < lines.size() && lines.get(i + 1).contains("Index Cond:");
        if (!read.find() || hasCondition) {
            return false;
        }
        boolean inOrder = "orth_journal_position".equals(read.group(1)) || "orth_journal_fresh".equals(read.group(1));
        String above = parent(lines, i);
        return !(inOrder && (above.contains("Limit ") || above.contains("InitPlan ")));
    }

    private static String parent(List<String> lines, int i) {
        int above = i;
        while (above > 0 && indent(lines.get(above)) >= indent(lines.get(i))) {
            above--;
        }
        return lines.get(above);
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }
}
