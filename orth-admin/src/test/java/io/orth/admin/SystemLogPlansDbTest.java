package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.systemlog.LogFilter;
import io.orth.admin.systemlog.SystemLogStatements;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Each filter of the archive goes by its index, in the order that is shown, on a full table and on one that was emptied. */
@Tag("must-queues")
class SystemLogPlansDbTest {

    private static final int LINES = 200_000;

    @RegisterExtension
    static final TestDatabase full = new TestDatabase();

    @RegisterExtension
    static final TestDatabase emptied = new TestDatabase();

    @BeforeAll
    static void fill() {
        fill(full);
        fill(emptied);
        JdbcClient gone = JdbcClient.create(emptied.dataSource());
        gone.sql("delete from orth_system_log").update();
        gone.sql("vacuum analyze orth_system_log").update();
    }

    private static void fill(TestDatabase db) {
        JdbcClient jdbc = JdbcClient.create(db.dataSource());
        jdbc.sql("""
                insert into orth_system_log (at, level, message, worker_id, queue, node_id, number)
                select timestamptz '2026-11-16 12:00:00Z' - (:lines - n) * interval '10 seconds',
                       case when n % 100 = 0 then 'ERROR' when n % 10 = 0 then 'WARN' else 'INFO' end,
                       'something happened to number ' || n || ' of those that there are, and it is told at some length',
                       case when n % 3 = 0 then 'w' || n % 300 end, case when n % 5 = 0 then 'q' || n % 50 end,
                       'node', n
                  from generate_series(1, :lines) n
                """).param("lines", LINES).update();
        jdbc.sql("vacuum analyze orth_system_log").update();
        PlannerSettings.asInThePool(jdbc);
    }

    static Stream<Arguments> searches() {
        return SystemLogStatements.searches().entrySet().stream()
                .flatMap(index -> index.getValue().stream().map(filter -> Arguments.of(index.getKey(), filter)));
    }

    @ParameterizedTest
    @MethodSource("searches")
    void aSearchGoesByItsIndexAndSortsNothing(String index, LogFilter filter) {
        for (TestDatabase db : List.of(full, emptied)) {
            ExplainedStatements explained = explained(db);

            SystemLogStatements.search(explained.dataSource(), filter, LINES / 2);

            List<String> plans = explained.plans().stream()
                    .map(ExplainedStatements.Plan::text)
                    .filter(plan -> !plan.contains("orth_system_log_pkey"))
                    .toList();
            assertThat(plans)
                    .allSatisfy(plan -> assertThat(plan)
                            .contains(" using " + index + " on orth_system_log")
                            .doesNotContain("Sort")
                            .doesNotContain("Seq Scan")
                            .doesNotContain("Bitmap"));
            assertThat(plans).hasSizeGreaterThanOrEqualTo(db == full ? 1 : 0);
        }
    }

    private static ExplainedStatements explained(TestDatabase db) {
        return new ExplainedStatements(new DriverManagerDataSource(db.url(), db.user(), db.password()));
    }

    @Test
    void otherStatementsAvoidSequentialScans() {
        for (TestDatabase db : List.of(full, emptied)) {
            ExplainedStatements explained = explained(db);

            SystemLogStatements.keep(explained.dataSource(), LINES - 10);

            assertThat(explained.plans())
                    .hasSize(3)
                    .allSatisfy(plan -> assertThat(plan.text())
                            .doesNotContain("Seq Scan on orth_system_log")
                            .doesNotContain("Sort"));
        }
    }

    @Test
    void boundsPagesReadByListsAndFruitlessSearches() {
        JdbcClient jdbc = JdbcClient.create(full.dataSource());

        for (List<LogFilter> filters : SystemLogStatements.searches().values()) {
            assertThat(SystemLogStatements.pagesOf(jdbc, filters.get(0))).isLessThan(250);
        }
        assertThat(SystemLogStatements.pagesOfFruitlessSearch(jdbc)).isLessThan(2_000);
    }
}
