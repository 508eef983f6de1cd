package io.orth.admin.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.Decision;
import io.orth.admin.job.DecisionFilter;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.ExecutorWait;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-first")
class SkippedRunsDbTest {

    private static final Instant PLANNED = Instant.parse("2030-01-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private CompletionFixture completion;
    private ExecutorGroup group;
    private Runs runs;
    private Job job;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        completion = new CompletionFixture(admin, Clock.systemUTC());
        group = admin.group("group");
        runs = new Runs(admin.jdbc, completion.changes, admin.runIds, admin.transactions);
        RetryPolicy retry = new RetryPolicy(4, Backoff.doubling(Duration.ofSeconds(10), Duration.ofHours(1)));
        job = admin.jobs.create(
                JobSpecs.of("busy", group.id(), "handler", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE)
                        .followedBy(new AfterRun(retry, List.of())),
                true);
    }

    @Test
    void listsASkippedFireWithoutRetryOrDeadLetter() {
        Run run = planned(PLANNED);

        skip(run);

        Run skipped = runs.get(run.id());
        assertThat(skipped.status()).isEqualTo(RunStatus.SKIPPED);
        assertThat(skipped.triggerMsg()).isEqualTo("the job was busy");
        assertThat(admin.journalOf(run)).endsWith("INIT->SKIPPED DISCARDED");
        assertThat(completion.retries).isEmpty();
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_dead_letter")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(decisions()).singleElement().satisfies(entry -> {
            assertThat(entry.reason()).isEqualTo(DecisionReason.DISCARDED);
            assertThat(entry.first()).isEqualTo(PLANNED);
            assertThat(entry.last()).isEqualTo(PLANNED);
            assertThat(entry.fires()).isEqualTo(1);
        });
    }

    @Test
    void listsConsecutiveFiresAsOneEntry() {
        skip(planned(PLANNED.plusSeconds(2)), planned(PLANNED.plusSeconds(3)));
        skip(planned(PLANNED.plusSeconds(1)));
        skip(planned(PLANNED.plusSeconds(4)));

        assertThat(decisions()).singleElement().satisfies(entry -> {
            assertThat(entry.first()).isEqualTo(PLANNED.plusSeconds(1));
            assertThat(entry.last()).isEqualTo(PLANNED.plusSeconds(4));
            assertThat(entry.fires()).isEqualTo(4);
        });
    }

    @Test
    void countsABroadcastFireOnce() {
        List<Run> first = broadcast(PLANNED);
        List<Run> second = broadcast(PLANNED.plusSeconds(1));

        skip(first.get(0), first.get(1));
        skip(first.get(2), second.get(2));
        skip(second.get(0));

        assertThat(decisions())
                .singleElement()
                .satisfies(entry -> assertThat(entry.fires()).isEqualTo(2));
    }

    @Test
    @Tag("must-kernel")
    void listsFiresOfAllTriggerTypes() {
        Run manual = run(TriggerType.MANUAL, null, Route.DEFAULT);
        Run backfilled = run(TriggerType.BACKFILL, PLANNED, Route.DEFAULT);

        skip(manual, run(TriggerType.API, null, Route.DEFAULT));
        skip(backfilled);

        assertThat(decisions()).singleElement().satisfies(entry -> {
            assertThat(entry.first()).isEqualTo(manual.createdAt());
            assertThat(entry.fires()).isEqualTo(3);
        });
    }

    @Test
    @Tag("must-kernel")
    void listsAndRetriesFiresWithoutExecutor() {
        Run run = planned(PLANNED);
        ExecutorWait wait = new ExecutorWait(Refusal.of(run, "no executor is online"), true);

        runs.awaitExecutor(List.of(wait), AdminFixture.CLAIM, Duration.ZERO);

        assertThat(runs.get(run.id()).status()).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(admin.journalOf(run)).endsWith("INIT->TRIGGER_FAILED NO_EXECUTOR");
        assertThat(completion.retries).hasSize(1);
        assertThat(decisions()).singleElement().satisfies(entry -> {
            assertThat(entry.reason()).isEqualTo(DecisionReason.NO_EXECUTOR);
            assertThat(entry.first()).isEqualTo(PLANNED);
            assertThat(entry.fires()).isEqualTo(1);
        });
    }

    @Test
    void skipsRunsOfAJobThatWasDeleted() {
        Run run = planned(PLANNED);
        admin.jobs.delete(job.id());

        skip(run);

        assertThat(runs.get(run.id()).status()).isEqualTo(RunStatus.SKIPPED);
    }

    private void skip(Run... some) {
        assertThat(runs.skip(List.of(some).stream()
                        .map(run -> Refusal.of(run, "the job was busy"))
                        .toList()))
                .hasSize(some.length);
    }

    private Run planned(Instant at) {
        return run(TriggerType.SCHEDULE, at, Route.DEFAULT);
    }

    private List<Run> broadcast(Instant at) {
        List<NewRun> shards = IntStream.range(0, 3)
                .mapToObj(index -> NewRun.of(job, "", TriggerType.SCHEDULE, at, "trace")
                        .withRoute(Route.DEFAULT.withShard(new Route.Shard(index, 3, "http://10.0.0." + index))))
                .toList();
        return runs.create(shards, AdminFixture.CLAIM);
    }

    private Run run(TriggerType type, Instant at, Route route) {
        return runs.create(List.of(NewRun.of(job, "", type, at, "trace").withRoute(route)), AdminFixture.CLAIM)
                .get(0);
    }

    private List<Decision> decisions() {
        return admin.ledger.list(new DecisionFilter(job.id(), null, null, null, Long.MAX_VALUE, 10));
    }
}
