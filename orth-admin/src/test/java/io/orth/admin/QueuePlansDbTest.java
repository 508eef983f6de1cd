package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.queue.QueueStatements;
import io.orth.admin.queuealert.AlertStatements;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * No statement about messages reads a whole table or index, whatever the number of messages. One exception: messages of dead
 * executors are searched without an index, which every claim would have to maintain.
 */
@Tag("must-queues")
class QueuePlansDbTest {

    private static final String TABLES =
            "orth_(?:message|message_history\\w*|message_key|message_group|message_inbox|push|dead_letter|queue_report|queue_alert)";
    private static final Pattern WHOLE_READ = Pattern.compile("Seq Scan on " + TABLES + "\\s");
    private static final Pattern INDEX_READ = Pattern.compile("(?:Index (?:Only )?Scan(?: Backward)? using \\w+ on "
            + TABLES + "\\s|Bitmap Index Scan on orth_(?:message|push|dead_letter|queue_report)_\\w+)");

    private static final Pattern WHOLE_QUEUE = Pattern.compile("Index Cond: \\((?:\\w+\\.)?queue_id = [^)]*\\)$");

    private static final Pattern MOVES =
            Pattern.compile("delete from orth_(?:message|dead_letter) |set status = 'WAITING'");

    private static final Pattern ENDS = Pattern.compile("lane, 'DONE', seq");

    /** Loses the order in which messages were requested. */
    private static final Pattern DISORDER = Pattern.compile("Hash|Merge|Sort|LockRows");

    @RegisterExtension
    static final TestDatabase empty = new TestDatabase();

    /** A queue that was worked off and cleared away looks as if it never had more than one message. */
    @RegisterExtension
    static final TestDatabase emptied = new TestDatabase();

    @RegisterExtension
    static final TestDatabase full = new TestDatabase();

    @BeforeAll
    static void prepare() {
        QueueStatements.fill(JdbcClient.create(full.dataSource()), 200_000);
        AlertStatements.fill(JdbcClient.create(full.dataSource()), 200_000);
        JdbcClient jdbc = JdbcClient.create(emptied.dataSource());
        QueueStatements.fill(jdbc, 50_000);
        jdbc.sql("delete from orth_message").update();
        jdbc.sql("vacuum analyze").update();
        for (TestDatabase db : List.of(empty, emptied, full)) {
            AdminFixture admin = new AdminFixture(db);
            admin.executor(admin.group("plans"), "plans", "http://127.0.0.1:9999");
            PlannerSettings.asInThePoolWithAllPartitions(JdbcClient.create(db.dataSource()));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, empty", "1, emptied", "1, full", "100, full", "1000, empty", "1000, emptied", "1000, full"})
    void noTableIndexOrQueueIsReadAsAWhole(int size, String filling) {
        TestDatabase db =
                Map.of("empty", empty, "emptied", emptied, "full", full).get(filling);
        ExplainedStatements explained =
                new ExplainedStatements(new DriverManagerDataSource(db.url(), db.user(), db.password()));
        DataSource database = explained.dataSource();
        AdminFixture admin = new AdminFixture(database, Clock.systemUTC());
        long executor = admin.target("plans").executorId();
        explained.clear();

        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(transaction -> {
            QueueStatements.exercise(admin.queues, admin.jdbc, executor, size);
            AlertStatements.exercise(admin, admin.queues.queues.get("plans"));
            transaction.setRollbackOnly();
        });

        assertThat(explained.plans()).hasSizeGreaterThan(40);
        assertThat(explained.plans().stream().flatMap(plan -> wholeReads(plan).stream()))
                .isEmpty();
        assertThat(explained.plans().stream()
                        .filter(plan -> ENDS.matcher(plan.sql()).find()))
                .as("what ends messages locks them by deleting them, in the order of their ids")
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan.text())
                        .contains("Index Scan using orth_message_pkey")
                        .doesNotContainPattern(DISORDER));
        assertThat(explained.plans().stream()
                        .filter(plan -> MOVES.matcher(plan.sql()).find())
                        .filter(plan -> !ENDS.matcher(plan.sql()).find()))
                .as("what moves messages locks them first, in the order of their ids")
                .hasSizeGreaterThanOrEqualTo(size == 1 ? 1 : 4)
                .allSatisfy(plan -> assertThat(plan.text()).contains("LockRows"));
    }

    private static List<String> wholeReads(ExplainedStatements.Plan plan) {
        List<String> lines = plan.text().lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> WHOLE_READ.matcher(lines.get(i)).find() || readsWholeIndex(lines, i))
                .mapToObj(
                        i -> "%s in the plan of%n%s%n%s".formatted(lines.get(i).strip(), plan.sql(), plan.text()))
                .toList();
    }

    private static boolean readsWholeIndex(List<String> lines, int i) {
        String condition = i + 1 < lines.size() ? lines.get(i + 1) : "";
        return INDEX_READ.matcher(lines.get(i)).find()
                && (!condition.contains("Index Cond:")
                        || WHOLE_QUEUE.matcher(condition).find());
    }
}
