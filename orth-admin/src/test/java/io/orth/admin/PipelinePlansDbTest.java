package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.pipeline.PipelineStatements;
import io.orth.admin.registry.Target;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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

/** No statement about tasks, the outbox or their logs reads a whole table, however many there are. */
@Tag("must-pipelines")
class PipelinePlansDbTest {

    private static final Pattern WHOLE_READ = Pattern.compile(
            "Seq Scan on orth_(?:pipeline_task|pipeline_proposal|pipeline_delta|pipeline_progress|pipeline_run_meta|pipeline_task_meta|outbox|execution_log|content_log)\\b");

    @RegisterExtension
    static final TestDatabase empty = new TestDatabase();

    /** To the planner these tables look as if they never had more than a row. */
    @RegisterExtension
    static final TestDatabase emptied = new TestDatabase();

    @RegisterExtension
    static final TestDatabase full = new TestDatabase();

    @BeforeAll
    static void prepare() {
        for (TestDatabase db : List.of(empty, emptied, full)) {
            AdminFixture admin = new AdminFixture(db);
            admin.executor(admin.group("plans"), "plans", "http://127.0.0.1:9999");
            admin.pipelines.define("plans", "courses", "chapters");
            if (db != empty) {
                PipelineStatements.fill(admin, db == full ? 100_000 : 20_000);
            }
            if (db == emptied) {
                PipelineStatements.empty(admin);
            }
            PlannerSettings.asInThePool(JdbcClient.create(db.dataSource()));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, empty", "1000, empty", "1, emptied", "1000, emptied", "1, full", "100, full", "1000, full"})
    void noTableIsReadAsAWhole(int size, String filling) {
        TestDatabase db =
                Map.of("empty", empty, "emptied", emptied, "full", full).get(filling);
        ExplainedStatements explained =
                new ExplainedStatements(new DriverManagerDataSource(db.url(), db.user(), db.password()));
        DataSource database = explained.dataSource();
        AdminFixture admin = new AdminFixture(database, Clock.systemUTC());
        Target executor = admin.target("plans");
        explained.clear();

        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(transaction -> {
            PipelineStatements.exercise(admin, executor, size);
            transaction.setRollbackOnly();
        });

        assertThat(explained.plans()).hasSizeGreaterThan(40);
        assertThat(explained.plans().stream()
                        .filter(plan -> WHOLE_READ.matcher(plan.text()).find())
                        .map(plan -> "%s%n%s".formatted(plan.sql(), plan.text())))
                .isEmpty();
        assertListsOfMetaUse(explained, "orth_pipeline_run_meta_pkey");
        assertListsOfMetaUse(explained, "orth_pipeline_task_meta_pkey");
    }

    /** In the order of the list, so that a page costs a page. */
    private static void assertListsOfMetaUse(ExplainedStatements explained, String index) {
        assertThat(explained.plans())
                .filteredOn(plan -> plan.sql().contains(index.replace("_pkey", " where"))
                        || plan.text().contains(index))
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan.text()).contains(index).doesNotContain("Sort"));
    }
}
