package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.TriggersFixture;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Routing decided by the claim of a due job. */
@Tag("must-runs")
class BroadcastDbTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final SchedulingProperties PROPERTIES =
            SchedulingFixture.properties(100, Duration.ofSeconds(5), 20, 1_000);
    private static final Schedule EVERY_MINUTE = new Schedule.FixedRate(Duration.ofMinutes(1));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at(NOON.toString());
    private AdminFixture admin;
    private ExecutorGroup group;
    private TriggersFixture triggers;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db, clock);
        group = admin.group("group");
        triggers = new TriggersFixture(admin);
    }

    @Test
    void createsOneRunPerExecutorAndFireTime() {
        Job job = job(RouteStrategy.SHARDING_BROADCAST, EVERY_MINUTE);
        Random random = new Random(7);
        int online = 0;
        for (int minute = 0; minute < 10; minute++) {
            int more = 1 + random.nextInt(3);
            for (int i = 0; i < more; i++) {
                admin.executor(group, "instance-" + (online + i), "http://127.0.0.1:" + (9000 + online + i));
            }
            online += more;
            clock.advance(Duration.ofMinutes(1));
            scanner(admin.runs).run();
            scanner(admin.runs).run();

            assertThat(shards()).as("minute " + minute).hasSize(online).doesNotHaveDuplicates();
            assertThat(admin.jdbc
                            .sql(
                                    "select min(shard_index) || '..' || max(shard_index) || ' of ' || max(shard_total) from orth_run_all")
                            .query(String.class)
                            .single())
                    .isEqualTo("0..%d of %d".formatted(online - 1, online));
            admin.jdbc.sql("delete from orth_run").update();
        }
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isEqualTo(NOON.plusSeconds(660));
    }

    @Test
    void failedClaimLeavesNoShard() {
        executors(3);
        Job job = job(RouteStrategy.SHARDING_BROADCAST, EVERY_MINUTE);
        clock.advance(Duration.ofMinutes(1));
        Runs broken = new Runs(
                admin.jdbc,
                new StateChanges(changes -> {
                            admin.journal.append(changes);
                            throw new IllegalStateException("cut after the journal");
                        })
                        .followedBy(List.of()),
                admin.runIds,
                admin.transactions);

        assertThatThrownBy(scanner(broken)::run).hasMessage("cut after the journal");

        assertThat(shards()).isEmpty();
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void addsNoShardsForExecutorsThatJoinLater() {
        executors(2);
        Job job = job(RouteStrategy.SHARDING_BROADCAST, EVERY_MINUTE);
        clock.advance(Duration.ofMinutes(1));
        scanner(admin.runs).run();
        executors(4);

        Backfills backfills = new Backfills(admin.jdbc, triggers.triggers(), admin.transactions, clock, PROPERTIES);
        List<Backfills.Slot> slots =
                backfills.fire(admin.jobs.get(job.id()), NOON.minusSeconds(1), clock.instant(), "trace");

        assertThat(slots).extracting(Backfills.Slot::isNew).containsExactly(true, false);
        assertThat(admin.jdbc
                        .sql(
                                "select trigger_type || ' ' || shard_index || '/' || shard_total from orth_run_all order by 1")
                        .query(String.class)
                        .list())
                .containsExactly(
                        "BACKFILL 0/4", "BACKFILL 1/4", "BACKFILL 2/4", "BACKFILL 3/4", "SCHEDULE 0/2", "SCHEDULE 1/2");
    }

    @Test
    void fixedDelayWaitsForAllShards() {
        executors(3);
        FixedDelays delays = new FixedDelays(admin.dueJobs, clock, event -> {});
        Runs runs = new Runs(
                admin.jdbc,
                new StateChanges(admin.journal).followedBy(List.of(delays)),
                admin.runIds,
                admin.transactions);
        Job job = job(RouteStrategy.SHARDING_BROADCAST, new Schedule.FixedDelay(Duration.ofSeconds(10)));
        clock.advance(Duration.ofSeconds(10));
        scanner(runs).run();
        List<Long> ids = admin.jdbc
                .sql("select id from orth_run_all order by shard_index")
                .query(Long.class)
                .list();

        end(runs, ids.get(1));
        end(runs, ids.get(0));
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isNull();
        new AwaitedRunRescuer(admin.dueJobs, admin.transactions, clock).run();
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isNull();

        end(runs, ids.get(2));
        assertThat(admin.jobs.get(job.id()).nextFireAt())
                .isEqualTo(clock.instant().plusSeconds(10));
    }

    @Test
    void rescuerAwaitsUnfinishedShard() {
        executors(2);
        Job job = job(RouteStrategy.SHARDING_BROADCAST, new Schedule.FixedDelay(Duration.ofSeconds(10)));
        clock.advance(Duration.ofSeconds(10));
        scanner(admin.runs).run();
        List<Long> ids = admin.jdbc
                .sql("select id from orth_run_all order by shard_index")
                .query(Long.class)
                .list();
        AwaitedRunRescuer rescuer = new AwaitedRunRescuer(admin.dueJobs, admin.transactions, clock);

        end(admin.runs, ids.get(0));
        rescuer.run();
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isNull();
        end(admin.runs, ids.get(1));
        rescuer.run();

        assertThat(admin.jobs.get(job.id()).nextFireAt())
                .isEqualTo(clock.instant().plusSeconds(10));
    }

    @Test
    void createsManyShardsInSeveralTransactions() {
        admin.jdbc
                .sql("""
                insert into orth_executor (instance_id, group_id, address, host, pid, version, status, seq, status_at,
                                           leftovers_delivered)
                select 'i' || n, :group, 'http://10.0.0.1:' || n, 'h', 1, 'v', 'ONLINE', 1, now(), true
                  from generate_series(1, :n) n
                """)
                .param("group", group.id())
                .param("n", DuePass.MOST_RUNS / 4)
                .update();
        for (int i = 0; i < 5; i++) {
            job(RouteStrategy.SHARDING_BROADCAST, EVERY_MINUTE);
        }
        clock.advance(Duration.ofMinutes(1));

        scanner(admin.runs).run();
        assertThat(runs()).isEqualTo(DuePass.MOST_RUNS);
        scanner(admin.runs).run();

        assertThat(runs()).isEqualTo(DuePass.MOST_RUNS / 4 * 5);
    }

    @Test
    void numbersTurnsAcrossNodes() {
        Job job = job(RouteStrategy.ROUND, EVERY_MINUTE);
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofMinutes(1));
            scanner(admin.runs).run();
        }
        clock.advance(Duration.ofMinutes(3));
        scanner(new Runs(admin.jdbc, admin.changes, admin.runIds, admin.transactions))
                .run();

        assertThat(admin.jdbc
                        .sql("select turn from orth_run_all where job_id = :job order by schedule_time")
                        .param("job", job.id())
                        .query(Long.class)
                        .list())
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }

    private static void end(Runs runs, long id) {
        assertThat(runs.refuse(List.of(Refusal.of(runs.get(id), "no executor"))))
                .containsExactly(id);
    }

    private ScheduleScanner scanner(Runs runs) {
        return SchedulingFixture.scanner(admin, runs, triggers, clock, PROPERTIES);
    }

    private Job job(RouteStrategy strategy, Schedule schedule) {
        int n = admin.jdbc
                .sql("select count(*) from orth_job")
                .query(Integer.class)
                .single();
        return admin.jobs.create(
                new JobSpec(
                        "job " + n,
                        group.id(),
                        "handler",
                        "",
                        schedule,
                        MisfirePolicy.FIRE_ALL,
                        JobSpecs.PLAIN,
                        new Routing(strategy, List.of())),
                true);
    }

    /** Ensures that {@code n} executors are online. */
    private void executors(int n) {
        for (int i = 0; i < n; i++) {
            admin.executor(group, "instance-" + i, "http://127.0.0.1:" + (9000 + i));
        }
    }

    private List<String> shards() {
        return admin.jdbc
                .sql("select shard_address from orth_run_all")
                .query(String.class)
                .list();
    }

    private int runs() {
        return admin.jdbc
                .sql("select count(*) from orth_run_all")
                .query(Integer.class)
                .single();
    }
}
