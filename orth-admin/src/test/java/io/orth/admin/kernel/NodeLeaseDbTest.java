package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The node's number and the run ids made under it. */
class NodeLeaseDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final ManualClock ticking = ManualClock.at("2030-01-01T12:00:00Z");
    private final Ticker ticker = () -> ticking.ticker().getAsLong();
    private JdbcClient jdbc;

    @BeforeEach
    void setUp() {
        jdbc = JdbcClient.create(db.dataSource());
    }

    @Test
    void nodesGetDifferentNumbers() {
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 64; i++) {
            numbers.add(lease("node-" + i).number());
        }

        assertThat(numbers).hasSize(64);
        assertThatThrownBy(() -> lease("one-too-many")).hasMessageContaining("64 admin nodes");
    }

    @Test
    void doesNotUseNumberAfterLeaseMayHaveExpired() {
        NodeLease lease = lease("a");
        ticking.advance(NodeLease.TTL);

        assertThatThrownBy(lease::number).hasMessageContaining("lost touch with the database");

        lease.run();
        assertThat(lease.number()).isBetween(0, 63);
    }

    @Test
    void aLostLeaseIsReplacedUnderANewTerm() {
        NodeLease lease = lease("a");
        long term = lease.held().term();
        int number = lease.number();
        jdbc.sql("update orth_node set expires_at = now() - interval '1 second' where number = :n")
                .param("n", lease.number())
                .update();

        lease.run();

        boolean sameNumber = lease.number() == number;
        assertThat(lease.held().term()).isEqualTo(sameNumber ? term + 1 : 1);
    }

    @Test
    void idsAreIncreasingUniqueAndFitInto53Bits() {
        RunIdGenerator ids = new RunIdGenerator(lease("a"), Clock.systemUTC());

        long[] first = ids.next(1_000);
        long[] second = ids.next(1_000);

        long[] all = Arrays.copyOf(first, 2_000);
        System.arraycopy(second, 0, all, 1_000, 1_000);
        assertThat(all).isSorted().doesNotHaveDuplicates();
        assertThat(all[1_999]).isPositive().isLessThan(1L << 53);
    }

    @Test
    void successorStartsAbovePredecessorDespiteClockSetBack() {
        NodeLease first = lease("a");
        Clock now = Clock.fixed(
                Instant.ofEpochMilli(RunIdGenerator.EPOCH_MILLIS + first.held().ceiling())
                        .minus(NodeLease.TTL),
                ZoneOffset.UTC);
        long last = new RunIdGenerator(first, now).next(100)[99];
        first.release();
        jdbc.sql("delete from orth_node where number <> :n")
                .param("n", first.number())
                .update();
        long floor = jdbc.sql("update orth_node set id_high_water = id_high_water - 9500 returning id_high_water")
                .query(Long.class)
                .single();

        NodeLease second = lease("b");
        RunIdGenerator ids = new RunIdGenerator(second, Clock.offset(now, Duration.ofHours(-1)));

        assertThat(second.number()).isEqualTo(first.number());
        assertThatThrownBy(ids::next).hasMessageContaining("too many runs");
        long next = new RunIdGenerator(second, now).next();
        assertThat(next).isGreaterThan(last);
        assertThat(next >> 12).isEqualTo(floor + 1);
    }

    @Test
    void newNodePrefersNumberUnusedRecently() {
        NodeLease first = lease("a");
        first.release();

        assertThat(lease("b").number()).isNotEqualTo(first.number());
    }

    @Test
    void rejectsIdsMoreThanASecondAhead() {
        RunIdGenerator ids = new RunIdGenerator(lease("a"), Clock.systemUTC());

        assertThatThrownBy(() -> ids.next(80_000)).hasMessageContaining("too many runs");
    }

    @Test
    void waitsForTimeWhenIdsAreExhausted() {
        RunIdGenerator ids = new RunIdGenerator(lease("a"), Clock.systemUTC());
        long last = ids.next(60_000)[59_999];

        long[] more = ids.next(10_000);

        assertThat(more[0]).isGreaterThan(last);
        assertThat(more[9_999])
                .isLessThan(RunIdGenerator.lowestIdAt(Instant.now().plusSeconds(1)));
    }

    @Test
    void rejectsRequestThatWouldWaitTooLong() {
        RunIdGenerator ids = new RunIdGenerator(lease("a"), Clock.fixed(Instant.now(), ZoneOffset.UTC));
        ids.next(60_000);

        assertThatThrownBy(() -> ids.next(10_000)).hasMessageContaining("too many runs");
        assertThat(ids.next(1_000)).hasSize(1_000);
    }

    /**
     * The previous holder of the other number may have issued ids up to a minute ahead; none above that is recorded
     * yet.
     */
    @Test
    void concurrentLeaseChangeDoesNotMixBounds() {
        NodeLease lease = lease("a");
        jdbc.sql("delete from orth_node where number not in (:mine, :other)")
                .param("mine", lease.number())
                .param("other", (lease.number() + 1) % 64)
                .update();
        jdbc.sql("update orth_node set id_high_water = :ahead where number <> :mine")
                .param("ahead", lease.held().ceiling() + 60_000)
                .param("mine", lease.number())
                .update();
        long marked = jdbc.sql("select max(id_high_water) from orth_node")
                .query(Long.class)
                .single();
        RunIdGenerator ids = new RunIdGenerator(lease, whenFirstRead(() -> {
            jdbc.sql("delete from orth_node where number = :mine")
                    .param("mine", lease.number())
                    .update();
            lease.run();
        }));

        assertThat(ids.next() >> 12).isLessThanOrEqualTo(marked);
    }

    private static Clock whenFirstRead(Runnable happens) {
        AtomicBoolean read = new AtomicBoolean();
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                if (!read.getAndSet(true)) {
                    happens.run();
                }
                return Instant.now();
            }
        };
    }

    @Test
    void anIdCarriesItsTime() {
        RunIdGenerator ids = new RunIdGenerator(lease("a"), Clock.systemUTC());
        Instant before = Instant.now();

        long id = ids.next();

        assertThat(id).isGreaterThanOrEqualTo(RunIdGenerator.lowestIdAt(before));
        assertThat(id).isLessThan(RunIdGenerator.lowestIdAt(before.plusSeconds(60)));
        assertThat(RunIdGenerator.lowestIdAt(Instant.EPOCH)).isZero();
    }

    private NodeLease lease(String node) {
        return new NodeLease(jdbc, new Node(node, "host", 1, "test"), ticker);
    }
}
