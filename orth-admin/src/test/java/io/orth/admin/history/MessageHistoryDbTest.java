package io.orth.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.DayPartitions;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlRows;
import io.orth.runtime.Duty.Pass;
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

/** Finished messages are kept for a week, and their history for a fortnight. */
@Tag("must-queues")
class MessageHistoryDbTest {

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

    @Test
    void keepsMessagesForRetentionAndDropsThemByDay() {
        done(daysAgo(9), daysAgo(9));
        long young = done(daysAgo(6), daysAgo(6));
        long today = done(now, now);

        assertThat(keep()).isEqualTo(Pass.DRAINED);
        assertThat(kept()).containsExactly(young, today);

        clock.advance(Duration.ofDays(3));
        keep();
        assertThat(kept()).containsExactly(today);

        clock.advance(Duration.ofDays(6));
        keep();
        assertThat(kept()).isEmpty();
        assertThat(new DayPartitions(admin.jdbc, "orth_message_history", "orth_add_message_day").list())
                .contains(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).plusDays(2));
    }

    /** It is among those of the day it was pushed, and that may be long over when it ends. */
    @Test
    void aMessageThatWaitedLongIsKeptFromWhenItEnded() {
        long late = done(daysAgo(30), daysAgo(1));

        keep();
        assertThat(kept()).containsExactly(late);

        clock.advance(Duration.ofDays(8));
        keep();
        assertThat(kept()).isEmpty();
    }

    @Test
    void deletesManyInSeveralPasses() {
        for (int i = 0; i < 1_001; i++) {
            done(daysAgo(30).plusSeconds(i), daysAgo(29));
        }

        assertThat(keep()).isEqualTo(Pass.MORE);
        assertThat(kept()).hasSize(1);
        assertThat(keep()).isEqualTo(Pass.DRAINED);
        assertThat(kept()).isEmpty();
    }

    @Test
    void keepsMessageHistoryForItsRetention() {
        packed(1, daysAgo(16));
        packed(2, daysAgo(13));
        packed(3, now);

        keep();
        assertThat(keptPacks()).containsExactly(2L, 3L);

        clock.advance(Duration.ofDays(3));
        keep();
        assertThat(keptPacks()).containsExactly(3L);

        clock.advance(Duration.ofDays(12));
        keep();
        assertThat(keptPacks()).isEmpty();
    }

    private Pass keep() {
        return new HistoryKeeper(
                        List.of(KeptDays.ofMessages(admin.jdbc, KEEP), KeptDays.ofTransitionPacks(admin.jdbc, KEEP)),
                        term -> true,
                        admin.transactions,
                        clock,
                        admin.systemLog)
                .run(1);
    }

    private Instant daysAgo(int days) {
        return now.minus(Duration.ofDays(days));
    }

    /** Returns its id, which is that of the time when it was pushed. */
    private long done(Instant pushed, Instant finished) {
        long id = RunIdGenerator.lowestIdAt(pushed);
        admin.jdbc
                .sql("""
                        insert into orth_message_history (id, queue_id, lane, status, seq, attempt, max_attempts, due_at, pushed_at,
                                                          claimed_at, finished_at, payload)
                        values (:id, 1, 2, 'DONE', 3, 1, 3, :pushed, :pushed, :pushed, :finished, 'hello')
                        """)
                .param("id", id)
                .param("pushed", SqlRows.timestamp(pushed))
                .param("finished", SqlRows.timestamp(finished))
                .update();
        return id;
    }

    private List<Long> kept() {
        return admin.jdbc
                .sql("select id from orth_message_history order by id")
                .query(Long.class)
                .list();
    }

    private void packed(long id, Instant at) {
        admin.jdbc.sql("""
                        insert into orth_transition_pack (batch, entity, to_status, at, cause, writer_id, entity_ids, seqs)
                        values (1, 'MESSAGE', 'WAITING', :at, 'PUSHED', 1, array[:id::bigint], array[1])
                        """).param("id", id).param("at", SqlRows.timestamp(at)).update();
    }

    private List<Long> keptPacks() {
        return admin.jdbc
                .sql("select unnest(entity_ids) from orth_transition_pack order by 1")
                .query(Long.class)
                .list();
    }
}
