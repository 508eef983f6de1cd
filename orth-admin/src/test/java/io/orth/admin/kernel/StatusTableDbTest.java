package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The statement that changes statuses, on a table of its own. */
@Tag("must-kernel")
@Timeout(120)
class StatusTableDbTest {

    private enum Light {
        RED,
        GREEN,
        GONE
    }

    private record Switch(long id, Light from, Light to, String hand) implements Move<Light> {

        @Override
        public Light reason() {
            return to;
        }
    }

    private static final Instant BEFORE = Instant.parse("2030-01-01T00:00:00Z");

    private static final StatusTable<Switch> SWITCHED = table().before("hand")
            .set("hand = w.wanted_hand")
            .returning("w.before_hand as hand_before")
            .update();

    private static final StatusTable<Switch> GONE =
            table().leaveTo("light_history", "id, status, seq, at", "id, target, seq + 1, moved_at");

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private JdbcClient jdbc;
    private Transactions transactions;

    private static StatusTable.Builder<Switch> table() {
        return StatusTable.<Switch>of("light")
                .column("wanted_hand", moves -> SqlArrays.texts(moves, Switch::hand))
                .onlyIf("w.wanted_hand is null or t.hand <> w.wanted_hand")
                .facts("7", "8::bigint", "t.hand");
    }

    @BeforeEach
    void setUp() {
        AdminFixture admin = new AdminFixture(db);
        jdbc = admin.jdbc;
        transactions = admin.transactions;
        jdbc.sql(
                        "create table light (id bigint primary key, status text, seq integer, status_at timestamptz, hand text)")
                .update();
        jdbc.sql("create table light_history (id bigint, status text, seq integer, at timestamptz)")
                .update();
        jdbc.sql("insert into light select n, 'RED', 3, :before, 'mine' from generate_series(1, 5) n")
                .param("before", SqlRows.timestamp(BEFORE))
                .update();
    }

    private static List<Switch> to(Light from, Light to, String hand, long... ids) {
        return Arrays.stream(ids).mapToObj(id -> new Switch(id, from, to, hand)).toList();
    }

    private List<String> lights() {
        return jdbc.sql("select id || ' ' || status || ' ' || seq || ' ' || hand from light order by id")
                .query(String.class)
                .list();
    }

    @Test
    void rowsAsExpectedAreChangedAndReturned() {
        jdbc.sql("update light set status = 'GREEN' where id = 2").update();
        jdbc.sql("update light set hand = 'yours' where id = 4").update();

        List<MovedRow> moved = SWITCHED.move(jdbc, to(Light.RED, Light.GREEN, "yours", 1, 2, 3, 4, 9));

        assertThat(lights())
                .containsExactly(
                        "1 GREEN 4 yours", "2 GREEN 3 mine", "3 GREEN 4 yours", "4 RED 3 yours", "5 RED 3 mine");
        assertThat(moved).extracting(MovedRow::id).containsExactlyInAnyOrder(1L, 3L);
        assertThat(moved).allSatisfy(row -> {
            assertThat(row.sequence()).isEqualTo(4);
            assertThat(row.since()).isBeforeOrEqualTo(row.at());
            assertThat(row.jobId()).isEqualTo(7);
            assertThat(row.executorId()).isEqualTo(8);
            assertThat(row.traceId()).isEqualTo("yours");
        });
    }

    @Test
    void returnsPreviousValuesWithTheirTime() {
        List<String> before = SWITCHED.on(jdbc, to(Light.RED, Light.GREEN, "yours", 1))
                .query((row, n) -> row.getString("hand_before") + " since " + SqlRows.instant(row, "since"))
                .list();

        assertThat(before).containsExactly("mine since " + BEFORE);
    }

    @Test
    void rowsLeaveForAnotherTable() {
        List<MovedRow> moved = GONE.move(jdbc, to(Light.RED, Light.GONE, null, 1, 5));

        assertThat(moved).extracting(MovedRow::id).containsExactlyInAnyOrder(1L, 5L);
        assertThat(moved).allSatisfy(row -> assertThat(row.sequence()).isEqualTo(4));
        assertThat(lights()).hasSize(3);
        assertThat(jdbc.sql("select id || ' ' || status || ' ' || seq from light_history order by id")
                        .query(String.class)
                        .list())
                .containsExactly("1 GONE 4", "5 GONE 4");
    }

    @Test
    void secondConcurrentChangeFindsRowsChanged() throws Exception {
        AtomicReference<CompletableFuture<List<MovedRow>>> second = new AtomicReference<>();

        transactions.run(() -> {
            assertThat(SWITCHED.move(jdbc, to(Light.RED, Light.GREEN, "first", 2, 4)))
                    .hasSize(2);
            second.set(CompletableFuture.supplyAsync(() ->
                    transactions.call(() -> SWITCHED.move(jdbc, to(Light.RED, Light.GREEN, "second", 1, 2, 3, 4)))));
            await().atMost(Duration.ofSeconds(60)).until(this::somethingWaits);
        });

        assertThat(second.get().get(60, TimeUnit.SECONDS))
                .extracting(MovedRow::id)
                .containsExactlyInAnyOrder(1L, 3L);
        assertThat(lights())
                .containsExactly(
                        "1 GREEN 4 second", "2 GREEN 4 first", "3 GREEN 4 second", "4 GREEN 4 first", "5 RED 3 mine");
    }

    /** Asked on a thread, and so in a transaction, of its own. */
    private boolean somethingWaits() {
        return jdbc.sql("""
                        select exists(select
                                        from pg_stat_activity
                                       where datname = current_database()
                                         and wait_event_type = 'Lock')
                        """).query(Boolean.class).single();
    }
}
