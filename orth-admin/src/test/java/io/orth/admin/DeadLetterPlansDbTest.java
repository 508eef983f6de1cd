package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.DeadLetterFixture;
import io.orth.admin.deadletter.DeadLetterStatements;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Each filter of dead letters uses its index, in list order, on a full table and on an emptied one. */
@Tag("must-queues")
class DeadLetterPlansDbTest {

    private static final int LETTERS = Boolean.getBoolean("orth.full") ? 1_000_000 : 50_000;

    @RegisterExtension
    static final TestDatabase full = new TestDatabase();

    @RegisterExtension
    static final TestDatabase emptied = new TestDatabase();

    @BeforeAll
    static void fill() {
        for (TestDatabase db : List.of(full, emptied)) {
            JdbcClient jdbc = JdbcClient.create(db.dataSource());
            DeadLetterStatements.fill(jdbc, db == full ? LETTERS : 5_000);
            new DeadLetterFixture(new AdminFixture(db)).fold();
            if (db == emptied) {
                jdbc.sql("delete from orth_dead_letter").update();
                jdbc.sql("delete from orth_dead_letter_group").update();
            }
            jdbc.sql("vacuum analyze").update();
            PlannerSettings.asInThePool(jdbc);
        }
    }

    static Stream<Arguments> searches() {
        return all().entrySet().stream()
                .flatMap(index -> index.getValue().stream().map(filter -> Arguments.of(index.getKey(), filter)));
    }

    private static Map<String, List<DeadLetterFilter>> all() {
        Instant now = Instant.now();
        return DeadLetterStatements.searches(3, now.minus(Duration.ofHours(2)), now.minus(Duration.ofHours(1)));
    }

    @ParameterizedTest
    @MethodSource("searches")
    void aSearchGoesByItsIndexAndSortsNothing(String index, DeadLetterFilter filter) {
        for (TestDatabase db : List.of(full, emptied)) {
            ExplainedStatements explained = explained(db);

            DeadLetterStatements.search(fixture(explained), filter);

            List<String> plans = explained.plans().stream()
                    .filter(plan -> !plan.sql().startsWith("select no from orth_dead_letter where status_at"))
                    .filter(plan -> plan.sql().contains("orth_dead_letter"))
                    .map(ExplainedStatements.Plan::text)
                    .toList();
            assertThat(plans)
                    .hasSizeGreaterThanOrEqualTo(3)
                    .allSatisfy(plan -> assertThat(plan)
                            .contains(" using " + index + " on orth_dead_letter")
                            .doesNotContain("Sort")
                            .doesNotContain("Seq Scan on orth_dead_letter")
                            .doesNotContain("Bitmap"));
        }
    }

    @Test
    void otherStatementsAvoidSequentialScans() {
        ExplainedStatements explained = explained(full);

        DeadLetterStatements.exercise(fixture(explained), 3);

        assertThat(explained.plans())
                .hasSizeGreaterThan(12)
                .allSatisfy(plan -> assertThat(plan.text())
                        .as(plan.sql())
                        .doesNotContain("Seq Scan on orth_dead_letter ")
                        .doesNotContain("Seq Scan on orth_dead_letter_group ")
                        .doesNotContain("Seq Scan on orth_message "));
    }

    @Test
    void boundsPagesReadByListsAndFruitlessSearches() {
        JdbcClient jdbc = JdbcClient.create(full.dataSource());

        all().forEach((index, filters) -> {
            assertThat(DeadLetterStatements.pagesOf(jdbc, filters.get(0)))
                    .as(index)
                    .isLessThan(250);
            assertThat(filters)
                    .allSatisfy(filter -> assertThat(DeadLetterStatements.pagesOf(jdbc, filter))
                            .isLessThan(11_000));
        });
    }

    /** However many others the queue or the job has. */
    @ParameterizedTest
    @CsvSource({"3,", ",1"})
    void readsFewPagesWhenQueueOrJobHasNoMatch(Integer queue, Integer job) {
        DeadLetterFilter filter = new DeadLetterFilter(null, queue, job, null, null, "print-none", null, null, null);

        assertThat(DeadLetterStatements.pagesOf(JdbcClient.create(full.dataSource()), filter))
                .isLessThan(10);
    }

    private static DeadLetterFixture fixture(ExplainedStatements explained) {
        DeadLetterFixture fixture = new DeadLetterFixture(new AdminFixture(explained.dataSource(), Clock.systemUTC()));
        explained.clear();
        return fixture;
    }

    private static ExplainedStatements explained(TestDatabase db) {
        return new ExplainedStatements(new DriverManagerDataSource(db.url(), db.user(), db.password()));
    }
}
