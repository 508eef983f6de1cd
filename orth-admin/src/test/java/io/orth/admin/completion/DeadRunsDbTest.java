package io.orth.admin.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetter;
import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.DeadLetterFixture;
import io.orth.admin.deadletter.DeadLetterGroups.Group;
import io.orth.admin.deadletter.DeadLetterOwner.Outcome;
import io.orth.admin.deadletter.DeadRef;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.CallbackIntake;
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
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs without a further attempt are dead letters until they are retried. */
@Tag("must-queues")
class DeadRunsDbTest {

    private static final String INSTANCE = "instance";
    private static final Instant PLANNED = Instant.parse("2030-01-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private CompletionFixture completion;
    private DeadLetterFixture letters;
    private ExecutorGroup group;
    private Target executor;
    private Runs runs;
    private RunKills kills;
    private CallbackIntake callbacks;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        completion = new CompletionFixture(admin, Clock.systemUTC());
        letters = new DeadLetterFixture(admin, completion);
        group = admin.group("group");
        executor = admin.executor(group, INSTANCE, "http://127.0.0.1:9999");
        runs = new Runs(admin.jdbc, completion.changes, admin.runIds, admin.transactions);
        kills = new RunKills(admin.jdbc, completion.changes, admin.transactions);
        callbacks = new CallbackIntake(admin.jdbc, completion.changes, admin.transactions);
    }

    @Test
    void listsRunAfterLastRetryWithDetails() {
        Job job = job(1);
        Run first = pending(job);
        report(first, Codes.FAIL, "first");
        assertThat(dead()).isEmpty();
        Run last = sent(retryOf(first));

        report(last, Codes.FAIL, "order 17 was refused\nat com.acme.Orders.send(Orders.java:7)");

        DeadLetter letter = dead().get(0);
        assertThat(dead()).hasSize(1);
        assertThat(letter.kind()).isEqualTo(DeadKind.RUN);
        assertThat(letter.id()).isEqualTo(last.id());
        assertThat(letter.queue()).isNull();
        assertThat(letter.job())
                .isEqualTo(new DeadLetter.OfJob(job.id(), job.spec().name(), "handler"));
        assertThat(letter.death().cause()).isEqualTo("FAILED");
        assertThat(letter.death().error()).isEqualTo("order 17 was refused");
        assertThat(letter.attempt()).isEqualTo(2);
        assertThat(letter.maxAttempts()).isEqualTo(2);
        assertThat(letter.pushedAt()).isEqualTo(runs.get(first.id()).createdAt());
        assertThat(letter.traceId()).isEqualTo("trace");
        assertThat(letter.text()).isEqualTo("special");
        DeadLetter whole = letters.list.whole(List.of(letter.no())).get(0);
        assertThat(whole.death().stack()).isEqualTo("at com.acme.Orders.send(Orders.java:7)");
        assertThat(whole.failures()).contains("order 17 was refused", Long.toString(last.id()));
    }

    @Test
    void keepsErrorsOfEarlierAttempts() {
        Job job = job(2);
        Run first = pending(job);
        report(first, Codes.FAIL, "the first error\nat com.acme.Orders.send(Orders.java:7)");
        Run second = sent(retryOf(first));
        report(second, Codes.TIMEOUT, "");
        Run third = sent(retryOf(second));
        report(third, Codes.FAIL, "the last error");

        List<JsonObject> failures = Json.readArray(letters.list
                .whole(List.of(dead().get(0).no()))
                .get(0)
                .failures()
                .getBytes(StandardCharsets.UTF_8));

        assertThat(failures)
                .extracting(failure -> failure.requiredText("error"))
                .satisfiesExactly(
                        error -> assertThat(error).isEqualTo("the first error"),
                        error -> assertThat(error).isNotBlank(),
                        error -> assertThat(error).isEqualTo("the last error"));
        assertThat(failures)
                .extracting(failure -> failure.requiredNumber("logId"))
                .containsExactly(first.id(), second.id(), third.id());
        assertThat(failures)
                .extracting(failure -> failure.requiredInteger("attempt"))
                .containsExactly(1, 2, 3);
        assertThat(failures)
                .extracting(failure -> failure.requiredInteger("code"))
                .containsExactly(500, 502, 500);
    }

    @Test
    void findsDeadRunByHandlerAndTrace() {
        report(pending(job(0)), Codes.FAIL, "no");

        assertThat(found("handler", null)).hasSize(1);
        assertThat(found(null, "trace")).hasSize(1);
        assertThat(found("handler", "trace")).hasSize(1);
        assertThat(found("handle", null)).isEmpty();
        assertThat(found(null, "trac")).isEmpty();
        assertThat(letters.operations.count(filter("handler", null))).isEqualTo(1);
        assertThat(letters.operations.count(filter("other", null))).isZero();
    }

    private List<DeadLetter> found(String handler, String traceId) {
        return letters.list
                .page(filter(handler, traceId), OptionalLong.empty(), 10)
                .letters();
    }

    private static DeadLetterFilter filter(String handler, String traceId) {
        return new DeadLetterFilter(null, null, null, handler, traceId, null, null, null, null);
    }

    @Test
    void listsFirstFailureWithoutRetries() {
        Job gone = job(5);
        Run ofGone = pending(gone);
        admin.jobs.delete(gone.id());
        Run failed = pending(job(0));
        Run refused = unsent(job(0));

        report(failed, Codes.TIMEOUT, "too long");
        report(ofGone, Codes.FAIL, "failed");
        runs.refuse(List.of(Refusal.of(refused, "nobody is there")));

        assertThat(dead())
                .extracting(
                        letter -> letter.death().cause() + " " + letter.death().error())
                .containsExactlyInAnyOrder("TIMEOUT too long", "FAILED failed", "TRIGGER_FAILED nobody is there");
    }

    @Test
    void listsNoSuccessfulRetriedOrKilledRun() {
        report(pending(job(0)), Codes.SUCCESS, "done");
        report(pending(job(3)), Codes.FAIL, "failed");
        Run killed = pending(job(0));
        kills.request(List.of(killed.id()), "someone", "", Duration.ofSeconds(5));
        report(killed, Codes.FAIL, "interrupted");

        assertThat(dead()).isEmpty();
    }

    @Test
    void lateSuccessRemovesDeadLetter() {
        Run lost = lost(job(0));
        assertThat(dead()).extracting(letter -> letter.death().cause()).containsExactly("LOST");

        report(lost, Codes.SUCCESS, "late");

        assertThat(runs.get(lost.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(dead()).isEmpty();
        assertThat(groups()).isEmpty();
    }

    @Test
    void lateFailureReplacesCauseOfDeath() {
        Run lost = lost(job(0));

        report(lost, Codes.TIMEOUT, "it took too long");

        assertThat(dead())
                .extracting(
                        letter -> letter.death().cause() + " " + letter.death().error())
                .containsExactly("TIMEOUT it took too long");
        assertThat(groups()).extracting(Group::letters).containsExactly(1L);
    }

    @Test
    void retryUsesCurrentJobDefinition() {
        Job job = job(0);
        Run failed = sent(runs.create(
                        List.of(NewRun.of(job, "special", TriggerType.SCHEDULE, PLANNED, "trace")
                                .withRoute(Route.DEFAULT.withShard(new Route.Shard(2, 5, "http://127.0.0.1:9999")))),
                        AdminFixture.CLAIM)
                .get(0));
        report(failed, Codes.FAIL, "failed");
        // The run's own row has been pruned.
        admin.jdbc.sql("delete from orth_run_history").update();
        admin.jdbc.sql("update orth_job set handler = 'better'").update();

        assertThat(completion.dead.retry(refs())).isEqualTo(Outcome.of(1));

        Run again = completion.retries.get(0);
        assertThat(again.triggerType()).isEqualTo(TriggerType.RETRY);
        assertThat(again.lineage().retryOf()).isEqualTo(failed.id());
        assertThat(again.lineage().attempt()).isEqualTo(2);
        assertThat(again.scheduleTime()).isEqualTo(PLANNED);
        assertThat(again.param()).isEqualTo("special");
        assertThat(again.handler()).isEqualTo("better");
        assertThat(again.route().shard()).isEqualTo(new Route.Shard(2, 5, null));
        assertThat(again.traceId()).isEqualTo("trace");
        assertThat(admin.journalOf(again)).containsExactly("null->INIT CREATED");
        assertThat(dead()).isEmpty();
        assertThat(groups()).isEmpty();
        report(sent(again), Codes.FAIL, "again");
        assertThat(dead()).extracting(DeadLetter::attempt).containsExactly(2);
    }

    @Test
    void retriesDeadRunOnce() {
        report(pending(job(0)), Codes.FAIL, "failed");
        List<DeadRef> refs = refs();

        assertThat(completion.dead.retry(refs).done()).isEqualTo(1);
        assertThat(completion.dead.retry(refs).done()).isZero();

        assertThat(completion.retries).hasSize(1);
    }

    @Test
    void doesNotRetryRunOfDeletedJob() {
        Job job = job(0);
        Run failed = pending(job);
        report(failed, Codes.FAIL, "failed");
        admin.jobs.delete(job.id());

        Outcome outcome = completion.dead.retry(refs());

        assertThat(outcome.done()).isZero();
        assertThat(outcome.failed()).containsEntry(failed.id(), "job %d was deleted".formatted(job.id()));
        assertThat(dead()).hasSize(1);
        assertThat(completion.dead.discard(refs()).done()).isEqualTo(1);
        assertThat(dead()).isEmpty();
    }

    @Test
    void lateSuccessCancelsManualRetry() {
        Run lost = lost(job(0));
        completion.dead.retry(refs());

        report(lost, Codes.SUCCESS, "late");

        assertThat(runs.get(lost.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(runs.get(completion.retries.get(0).id()).cause()).isEqualTo(RunCause.CALLED_OFF);
        assertThat(dead()).isEmpty();
    }

    @Test
    void throttlesJobWithManyUnfinishedRuns() {
        Job job = job(0);
        assertThat(completion.dead.room(List.of(job.id())).get(job.id()).places())
                .isEqualTo(DeadRuns.MOST_OPEN);

        IntStream.range(0, 30).forEach(i -> unsent(job, PLANNED.plusSeconds(i)));

        assertThat(completion.dead.room(List.of(job.id())).get(job.id()).places())
                .isEqualTo(DeadRuns.MOST_OPEN - 30);
    }

    @Test
    void discardsDeadRunsAfterRetention() {
        report(pending(job(0)), Codes.FAIL, "old");
        report(pending(job(0)), Codes.FAIL, "young");
        admin.jdbc
                .sql("update orth_dead_letter set status_at = now() - interval '181 days' where error = 'old'")
                .update();

        letters.keeper.expire(Duration.ofDays(180), 10, () -> true);

        assertThat(dead()).extracting(letter -> letter.death().error()).containsExactly("young");
    }

    @Test
    void groupsSimilarFailuresByJob() {
        Job job = job(0);
        for (int i = 0; i < 3; i++) {
            report(sent(unsent(job, PLANNED.plusSeconds(i))), Codes.FAIL, "order %d was refused".formatted(i));
        }
        report(pending(job(0)), Codes.FAIL, "order 9 was refused");

        List<Group> fresh = groups();
        letters.fold();

        assertThat(fresh).extracting(Group::letters).containsExactly(3L, 1L);
        assertThat(fresh.get(0).jobName()).isEqualTo(job.spec().name());
        assertThat(fresh.get(0).error()).isEqualTo("order 2 was refused");
        assertThat(groups()).isEqualTo(fresh);
    }

    @Test
    void recordsFirstAndLatestFailureOfGroup() {
        Job job = job(0);
        for (int i = 0; i < 3; i++) {
            report(sent(unsent(job, PLANNED.plusSeconds(i))), Codes.FAIL, "order %d was refused".formatted(i));
        }
        List<DeadLetter> dead = dead();

        Group group = groups().get(0);

        assertThat(group.lastSeen())
                .isEqualTo(dead.get(0).diedAt())
                .isEqualTo(runs.get(dead.get(0).id()).finishedAt());
        assertThat(group.firstSeen()).isEqualTo(dead.get(2).diedAt()).isBefore(group.lastSeen());
    }

    private List<DeadLetter> dead() {
        return letters.list
                .page(DeadLetterFilter.ALL, OptionalLong.empty(), 100)
                .letters();
    }

    private List<Group> groups() {
        return letters.groups.list(DeadLetterFilter.ALL, 50);
    }

    private List<DeadRef> refs() {
        return dead().stream()
                .map(letter -> new DeadRef(
                        letter.no(), letter.id(), letter.kind(), letter.job().jobId()))
                .toList();
    }

    private Job job(int retries) {
        RetryPolicy retry = new RetryPolicy(retries + 1, Backoff.doubling(Duration.ofSeconds(1), Duration.ofHours(1)));
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
        SendIntent intent = new SendIntent(run.id(), run.dispatch(), executor.executorId(), executor.address());
        assertThat(runs.intend(List.of(intent), AdminFixture.CLAIM)).hasSize(1);
        runs.accept(List.of(Acceptance.of(runs.get(run.id()), "accepted")), RunCause.ACCEPTED);
        return runs.get(run.id());
    }

    private Run lost(Job job) {
        Run run = pending(job);
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
        assertThat(runs.loseOfGoneExecutors(Duration.ZERO, 10)).isEqualTo(1);
        return run;
    }

    private void report(Run run, int code, String message) {
        callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, code, message, INSTANCE)));
    }

    private Run retryOf(Run run) {
        return runs.attemptsOf(run.id()).stream()
                .filter(other -> Long.valueOf(run.id()).equals(other.lineage().retryOf()))
                .findFirst()
                .orElseThrow();
    }
}
