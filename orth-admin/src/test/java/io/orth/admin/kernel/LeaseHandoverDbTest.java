package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.runtime.Duty;
import io.orth.runtime.LoopTiming;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A node that stops in good order hands its leases over immediately; a suspended node knows that it may have lost them.
 */
@Tag("must-transitions")
@Timeout(60)
class LeaseHandoverDbTest {

    private static final Duration TTL = Duration.ofMinutes(5);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private AdminFixture admin;

    @BeforeEach
    void setUp() {
        admin = new AdminFixture(db);
    }

    private ClusterLease lease(String node) {
        return new ClusterLease(admin.jdbc, "duty", new Node(node, node, 1, "test"), TTL);
    }

    /** Neither the lease's end nor the next look comes within the test: only the signal can have woken the other. */
    @Test
    void notifiedNodeTakesOver() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Loops leaving = loops("a", first);
        Loops staying = loops("b", second);
        leaving.start();
        assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
        staying.start();
        await().until(() -> listeners() == 2);
        assertThat(second.getCount()).isEqualTo(1);

        leaving.stop(Duration.ofSeconds(5));

        assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
        staying.stop(Duration.ofSeconds(5));
        assertThat(listeners()).as("connections go back without listening on").isZero();
    }

    private Loops loops(String node, CountDownLatch ran) {
        Loops loops = new Loops(Clock.systemUTC(), List.of(), name -> true);
        loops.add(
                "signals",
                LoopTiming.every(Duration.ofSeconds(1)),
                new Signals(db.dataSource(), Ticker.system()).on(ClusterLease.SIGNALS, loops::wake));
        loops.add("duty", LoopTiming.every(Duration.ofHours(1)), new LeasedDuty(lease(node), term -> {
            ran.countDown();
            return Duty.Pass.DRAINED;
        }));
        return loops;
    }

    private int listeners() {
        return admin.jdbc.sql("""
                        select count(*)
                          from pg_stat_activity
                         where datname = current_database()
                           and query = 'listen orth_lease'
                        """).query(Integer.class).single();
    }

    @Test
    void standingLeaseRenewsRarelyAndExpiresByLocalClock() {
        AtomicLong nanos = new AtomicLong();
        StandingLease standing = new StandingLease(lease("a"), Duration.ofSeconds(6), nanos::get);
        assertThat(standing.term()).isEmpty();
        assertThat(standing.keep()).hasValue(1);
        admin.jdbc.sql("update orth_lease set holder = 'b', term = 2").update();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(standing.keep()).as("known without asking").hasValue(1);
        nanos.addAndGet(Duration.ofMillis(4_100).toNanos());
        assertThat(standing.term())
                .as("a second before the database would say so")
                .isEmpty();
        assertThat(standing.isHeld(1)).isFalse();
        assertThat(standing.keep()).isEmpty();
    }

    @Test
    void aLeaseThatIsGivenBackIsNotHeldAnyMore() {
        StandingLease standing = new StandingLease(lease("a"), TTL, Ticker.system());
        standing.keep();
        standing.release();

        assertThat(standing.term()).isEmpty();
        assertThat(lease("b").hold()).hasValue(2);
    }
}
