package io.orth.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.DayPartitions;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChange;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes of state are kept for some days, with what is needed to understand them. */
@Tag("must-transitions")
class TransitionHistoryDbTest {

    private static final HistoryProperties KEEP =
            new HistoryProperties(Duration.ofDays(30), Duration.ofDays(400), Duration.ofDays(14), Duration.ofDays(7));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final Instant now = Instant.now();
    private final ManualClock clock = ManualClock.at(now);
    private AdminFixture admin;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
    }

    private void keep() {
        new HistoryKeeper(
                        List.of(KeptDays.ofTransitions(admin.jdbc, KEEP)),
                        term -> true,
                        admin.transactions,
                        clock,
                        admin.systemLog)
                .run(1);
    }

    private void change(long id, Instant at) {
        admin.transactions.run(() -> admin.journal.append(List.of(new StateChange(
                EntityKind.RUN, new MovedRow(id, 1, null, at, 1, null, null), null, "INIT", "CREATED"))));
    }

    private List<Long> kept() {
        return admin.jdbc
                .sql("select entity_id from orth_transition order by entity_id")
                .query(Long.class)
                .list();
    }

    @Test
    void keepsTransitionsForRetentionAndDropsThemByDay() {
        change(1, now.minus(Duration.ofDays(16)));
        change(2, now.minus(Duration.ofDays(13)));
        change(3, now);

        keep();
        assertThat(kept()).containsExactly(2L, 3L);

        clock.advance(Duration.ofDays(3));
        keep();
        assertThat(kept()).containsExactly(3L);

        clock.advance(Duration.ofDays(12));
        keep();
        assertThat(kept()).isEmpty();
        assertThat(new DayPartitions(admin.jdbc, "orth_transition", "orth_add_transition_day").list())
                .contains(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).plusDays(2));
    }

    @Test
    void deletesWritersAndDeletedJobsWithTheirTransitions() {
        admin.jdbc.sql("""
                insert into orth_writer (node_id, host, pid, version, thread, seen_at)
                values ('long-gone', 'h', 1, 'v', 't', now() - interval '16 days'),
                       ('gone', 'h', 1, 'v', 't', now() - interval '13 days')
                """).update();
        admin.jdbc.sql("""
                insert into orth_deleted_job (id, name, handler, group_id, deleted_at)
                values (1, 'long gone', 'h', 1, now() - interval '16 days'), (2, 'gone', 'h', 1, now() - interval '13 days')
                """).update();

        keep();

        assertThat(admin.jdbc
                        .sql("select node_id from orth_writer")
                        .query(String.class)
                        .list())
                .contains("gone")
                .doesNotContain("long-gone");
        assertThat(admin.jdbc
                        .sql("select name from orth_deleted_job")
                        .query(String.class)
                        .list())
                .containsExactly("gone");
    }
}
