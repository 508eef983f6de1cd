package io.orth.admin.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import io.orth.admin.run.SendIntent;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetriesDbTest {

    private static final String INSTANCE = "instance";
    private static final Instant PLANNED = Instant.parse("2030-01-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private CompletionFixture completion;
    private ExecutorGroup group;
    private Target executor;
    private Runs runs;
    private RunKills kills;
    private CallbackIntake callbacks;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        completion = new CompletionFixture(admin, Clock.systemUTC());
        group = admin.group("group");
        executor = admin.executor(group, INSTANCE, "http://127.0.0.1:9999");
        runs = new Runs(admin.jdbc, completion.changes, admin.runIds, admin.transactions);
        kills = new RunKills(admin.jdbc, completion.changes, admin.transactions);
        callbacks = new CallbackIntake(admin.jdbc, completion.changes, admin.transactions);
    }

    @ParameterizedTest
    @ValueSource(ints = {Codes.FAIL, Codes.TIMEOUT, 7})
    void retriesFailedRunUnchanged(int code) {
        Run failed = pending(job(3, "PT10S"));

        report(failed, code, "no luck");

        Run retry = retryOf(failed);
        assertThat(completion.retries).containsExactly(retry);
        assertThat(retry.status()).isEqualTo(RunStatus.INIT);
        assertThat(retry.triggerType()).isEqualTo(TriggerType.RETRY);
        assertThat(retry.scheduleTime()).isEqualTo(PLANNED);
        assertThat(retry.param()).isEqualTo("special");
        assertThat(retry.handler()).isEqualTo(failed.handler());
        assertThat(retry.execution()).isEqualTo(failed.execution());
        assertThat(retry.traceId()).isEqualTo(failed.traceId());
        assertThat(retry.lineage().attempt()).isEqualTo(2);
        assertThat(retry.lineage().attempts()).isEqualTo(4);
        assertThat(Duration.between(retry.createdAt(), retry.lineage().notBefore()))
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(admin.journalOf(retry)).containsExactly("null->INIT CREATED");
    }

    @Test
    @Tag("must-kernel")
    void limitsDelayRequestedByHandler() {
        List<Run> failed = Stream.of(5_000L, -1L, Long.MAX_VALUE, null)
                .map(wanted -> requesting(pending(job(3, "PT10S")), false, wanted))
                .toList();

        assertThat(failed)
                .extracting(run -> retryOf(run))
                .extracting(retry ->
                        Duration.between(retry.createdAt(), retry.lineage().notBefore()))
                .containsExactly(Duration.ofSeconds(5), Duration.ZERO, Duration.ofDays(366), Duration.ofSeconds(10));
    }

    @Test
    @Tag("must-kernel")
    void requestedDelayAddsNoAttempt() {
        Run last = requesting(pending(job(0, "PT10S")), false, 5_000L);

        assertThat(runs.attemptsOf(last.id())).hasSize(1);
    }

    @Test
    @Tag("must-kernel")
    void doesNotRetryNonRetryableFailure() {
        Run broken = requesting(pending(job(3, "PT10S")), true, 5_000L);

        assertThat(runs.attemptsOf(broken.id())).hasSize(1);
        assertThat(admin.jdbc
                        .sql("select error from orth_dead_letter where id = :id")
                        .param("id", broken.id())
                        .query(String.class)
                        .single())
                .isEqualTo("no luck");
    }

    private Run requesting(Run run, boolean nonRetryable, Long retryAfterMillis) {
        callbacks.take(
                group.id(),
                List.of(new CallbackItem(
                        run.id(), 0, Codes.FAIL, "no luck", INSTANCE, nonRetryable, retryAfterMillis)));
        return run;
    }

    @Test
    void retryKeepsShardButNotExecutor() {
        Job job = job(1, "PT1S");
        Routing broadcasting = new Routing(RouteStrategy.SHARDING_BROADCAST, List.of());
        Route broadcast = Route.of(broadcasting, 7L);
        Route again = Route.of(broadcasting, null);
        List<Run> shards = runs.create(
                Stream.of(0, 1)
                        .map(index -> NewRun.of(job, "special", TriggerType.SCHEDULE, PLANNED, "trace")
                                .withRoute(broadcast.withShard(new Route.Shard(index, 2, executor.address()))))
                        .toList(),
                AdminFixture.CLAIM);

        shards.forEach(run -> report(sent(run), Codes.FAIL, "failed"));

        assertThat(completion.retries)
                .extracting(retry -> retry.route())
                .containsExactly(
                        again.withShard(new Route.Shard(0, 2, null)), again.withShard(new Route.Shard(1, 2, null)));
    }

    @Test
    void retriesRunThatNoExecutorAccepted() {
        Run run = unsent(job(1, "PT1S"));

        runs.refuse(List.of(Refusal.of(run, "nobody there")));

        assertThat(retryOf(run).lineage().attempt()).isEqualTo(2);
    }

    @Test
    void doublesDelayUpToMaximumAndStopsAfterLastAttempt() {
        Job job = job(3, "PT10S", "PT25S");
        Run first = pending(job);

        report(first, Codes.FAIL, "1");
        Run second = retryOf(first);
        report(sent(second), Codes.FAIL, "2");
        Run third = retryOf(second);
        report(sent(third), Codes.FAIL, "3");
        Run fourth = retryOf(third);
        report(sent(fourth), Codes.FAIL, "4");

        assertThat(List.of(second, third, fourth).stream()
                        .map(run -> Duration.between(
                                        run.createdAt(), run.lineage().notBefore())
                                .toSeconds()))
                .containsExactly(10L, 20L, 25L);
        assertThat(countOf(job)).isEqualTo(4);
        assertThat(runs.attemptsOf(third.id()).stream().map(Run::id))
                .containsExactly(first.id(), second.id(), third.id(), fourth.id());
    }

    @Test
    void doesNotRetrySuccess() {
        Job job = job(3, "PT1S");

        report(pending(job), Codes.SUCCESS, "done");

        assertThat(countOf(job)).isEqualTo(1);
    }

    @Test
    void doesNotRetryWithoutRetriesOrAfterDeletion() {
        Job none = job(0, "PT1S");
        Job gone = job(5, "PT1S");
        Run ofGone = pending(gone);
        admin.jobs.delete(gone.id());

        report(pending(none), Codes.FAIL, "failed");
        report(ofGone, Codes.FAIL, "failed");

        assertThat(countOf(none)).isEqualTo(1);
        assertThat(countOf(gone)).isEqualTo(1);
    }

    @Test
    void loweringMaxAttemptsPreventsFurtherRetries() {
        Job job = job(5, "PT1S");
        Run run = pending(job);
        admin.jobs.update(job.id(), 1, job.spec().followedBy(AfterRun.NOTHING), true);

        report(run, Codes.FAIL, "failed");

        assertThat(countOf(job)).isEqualTo(1);
    }

    @Test
    void doesNotRetryKilledRun() {
        Job job = job(3, "PT1S");
        Run unsent = unsent(job);
        Run sent = sent(unsent(job, PLANNED.plusSeconds(1)));
        kills.request(List.of(unsent.id(), sent.id()), "someone", "", Duration.ofSeconds(5));

        kills.endUnsent(List.of(unsent.id()));
        report(sent, Codes.FAIL, "interrupted");

        assertThat(runs.get(sent.id()).cause()).isEqualTo(RunCause.KILLED);
        assertThat(countOf(job)).isEqualTo(2);
    }

    @Test
    void doesNotRetryKilledRetry() {
        Job job = job(3, "PT1H");
        Run failed = pending(job);
        report(failed, Codes.FAIL, "failed");
        Run retry = retryOf(failed);

        kills.request(List.of(retry.id()), "someone", "enough", Duration.ofSeconds(5));
        kills.endUnsent(List.of(retry.id()));

        assertThat(runs.get(retry.id()).status()).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(countOf(job)).isEqualTo(2);
    }

    @Test
    void claimsRetryOnlyWhenDue() {
        Run failed = pending(job(1, "PT1H"));
        report(failed, Codes.FAIL, "failed");
        Run retry = retryOf(failed);
        assertThat(runs.nextUnsent()).contains(retry.lineage().notBefore());

        admin.expireClaims();
        assertThat(runs.claimUnsent(10, AdminFixture.CLAIM)).isEmpty();

        admin.jdbc
                .sql("update orth_run set not_before = now(), claim_until = now() - interval '1 second'")
                .update();
        assertThat(runs.claimUnsent(10, AdminFixture.CLAIM)).extracting(Run::id).containsExactly(retry.id());
    }

    @Test
    @Tag("must-runs")
    void databaseRejectsSecondRetry() {
        Run failed = pending(job(3, "PT1S"));
        report(failed, Codes.FAIL, "failed");

        List<Run> again = runs.retry(List.of(new NewRetry(failed.id(), 4, Duration.ZERO)));

        assertThat(again).isEmpty();
    }

    @Test
    void delaysRetryOfLostRunByGracePeriod() {
        Run shortWait = lost(job(1, "PT1S"));
        assertThat(waitOf(retryOf(shortWait))).isEqualTo(CompletionFixture.GRACE);

        Run longWait = lost(job(1, "PT5M"));
        assertThat(waitOf(retryOf(longWait))).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    @Tag("must-runs")
    void lateSuccessCancelsUnsentRetry() {
        Run lost = lost(job(3, "PT1S"));
        Run retry = retryOf(lost);

        assertThat(report(lost, Codes.SUCCESS, "late").recorded()).isEqualTo(1);

        assertThat(runs.get(lost.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(runs.get(lost.id()).late()).isNull();
        Run ended = runs.get(retry.id());
        assertThat(ended.status()).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(ended.cause()).isEqualTo(RunCause.CALLED_OFF);
        assertThat(ended.triggerMsg()).isEqualTo("not needed: run %d has succeeded after all".formatted(lost.id()));
        assertThat(runs.intend(List.of(intent(retry)), AdminFixture.CLAIM)).isEmpty();
        assertThat(runs.attemptsOf(lost.id())).hasSize(2);
    }

    @Test
    @Tag("must-runs")
    void keepsLateResultBesideRunAfterRetryWasSent() {
        Run lost = lost(job(3, "PT1S"));
        Run retry = sent(retryOf(lost));

        assertThat(report(lost, Codes.SUCCESS, "late").recorded()).isEqualTo(1);
        assertThat(report(lost, Codes.FAIL, "later").repeated()).isEqualTo(1);

        Run kept = runs.get(lost.id());
        assertThat(kept.status()).isEqualTo(RunStatus.FAILED);
        assertThat(kept.cause()).isEqualTo(RunCause.LOST);
        assertThat(kept.late().code()).isEqualTo(Codes.SUCCESS);
        assertThat(kept.late().message()).isEqualTo("late");
        assertThat(runs.get(retry.id()).status()).isEqualTo(RunStatus.PENDING);
        assertThat(runs.revokedOf(executor.executorId())).isEmpty();
    }

    @Test
    void treatsRetryWithIntentAsSent() {
        Run lost = lost(job(3, "PT1S"));
        Run retry = retryOf(lost);
        runs.intend(List.of(intent(retry)), AdminFixture.CLAIM);

        report(lost, Codes.SUCCESS, "late");

        assertThat(runs.get(lost.id()).late()).isNotNull();
        assertThat(runs.get(retry.id()).status()).isEqualTo(RunStatus.INIT);
    }

    @Test
    void lateFailureCorrectsStatusAndKeepsRetry() {
        Run lost = lost(job(3, "PT1S"));
        Run retry = retryOf(lost);

        report(lost, Codes.TIMEOUT, "it took too long");

        assertThat(runs.get(lost.id()).status()).isEqualTo(RunStatus.TIMEOUT);
        assertThat(runs.get(retry.id()).status()).isEqualTo(RunStatus.INIT);
        assertThat(runs.attemptsOf(lost.id())).hasSize(2);
    }

    @Test
    void lateSuccessCountsAfterRetryWasKilled() {
        Run lost = lost(job(3, "PT1S"));
        Run retry = retryOf(lost);
        kills.request(List.of(retry.id()), "someone", "", Duration.ofSeconds(5));
        kills.endUnsent(List.of(retry.id()));

        report(lost, Codes.SUCCESS, "late");

        assertThat(runs.get(lost.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(runs.get(retry.id()).cause()).isEqualTo(RunCause.KILLED);
    }

    private Job job(int retries, String backoff) {
        return job(retries, backoff, "PT1H");
    }

    private Job job(int retries, String backoff, String longest) {
        RetryPolicy retry =
                new RetryPolicy(retries + 1, Backoff.doubling(Duration.parse(backoff), Duration.parse(longest)));
        JobSpec spec = JobSpecs.of(
                "job-" + System.nanoTime(), group.id(), "handler", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE);
        return admin.jobs.create(spec.followedBy(new AfterRun(retry, List.of())), true);
    }

    private Run unsent(Job job) {
        return unsent(job, PLANNED);
    }

    private Run unsent(Job job, Instant planned) {
        return runs.create(
                        List.of(NewRun.of(job, "special", TriggerType.SCHEDULE, planned, "trace")), AdminFixture.CLAIM)
                .get(0);
    }

    private Run pending(Job job) {
        return sent(unsent(job));
    }

    private Run sent(Run run) {
        assertThat(runs.intend(List.of(intent(run)), AdminFixture.CLAIM)).hasSize(1);
        runs.accept(List.of(Acceptance.of(runs.get(run.id()), "accepted")), RunCause.ACCEPTED);
        return runs.get(run.id());
    }

    private SendIntent intent(Run run) {
        return new SendIntent(run.id(), run.dispatch(), executor.executorId(), executor.address());
    }

    private Run lost(Job job) {
        Run run = pending(job);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        assertThat(runs.loseOfGoneExecutors(Duration.ZERO, 10)).isEqualTo(1);
        return run;
    }

    private CallbackIntake.Outcome report(Run run, int code, String message) {
        return callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, code, message, INSTANCE)));
    }

    private Run retryOf(Run run) {
        return runs.attemptsOf(run.id()).stream()
                .filter(other -> Long.valueOf(run.id()).equals(other.lineage().retryOf()))
                .findFirst()
                .orElseThrow();
    }

    private static Duration waitOf(Run retry) {
        return Duration.between(retry.createdAt(), retry.lineage().notBefore());
    }

    private int countOf(Job job) {
        return admin.jdbc
                .sql("select count(*) from orth_run_all where job_id = :job")
                .param("job", job.id())
                .query(Integer.class)
                .single();
    }
}
