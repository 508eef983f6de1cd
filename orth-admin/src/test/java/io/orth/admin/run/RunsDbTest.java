package io.orth.admin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.StateTransition;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataIntegrityViolationException;

class RunsDbTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;
    private Target executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        executor = admin.executor(group, "instance", "http://127.0.0.1:9999");
    }

    @Test
    void ignoresRejectionOfRunSentAgain() {
        Run run = admin.intendedRun(group, executor);

        Set<Long> moved = admin.runs.refuse(List.of(before(run, "nobody was there")));

        assertThat(moved).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    @Test
    void withdrawsUndeliveredDispatchUnlessSentAgain() {
        Run withdrawn = admin.intendedRun(group, executor);
        Run sentAgain = admin.intendedRun(group, executor);

        admin.runs.withdraw(
                List.of(Refusal.of(withdrawn, "unreachable"), before(sentAgain, "unreachable")), Duration.ofSeconds(1));

        assertThat(admin.runs.get(withdrawn.id()).executorId()).isNull();
        assertThat(admin.runs.get(sentAgain.id()).executorId()).isEqualTo(executor.executorId());
    }

    /** A rejection of the dispatch before the current one. */
    private static Refusal before(Run run, String reason) {
        return new Refusal(run.id(), new Fence(run.executorId(), run.dispatch() - 1), reason);
    }

    @Test
    void newRunIsUnsentAndJournalled() {
        Run run = admin.unsentRun(group);

        assertThat(run.status()).isEqualTo(RunStatus.INIT);
        assertThat(run.cause()).isEqualTo(RunCause.CREATED);
        assertThat(run.dispatch()).isZero();
        assertThat(run.executorId()).isNull();
        assertThat(run.triggerCode()).isEqualTo(Codes.NONE);
        assertThat(run.handleCode()).isEqualTo(Codes.NONE);
        assertThat(admin.runs.get(run.id())).isEqualTo(run);
        assertThat(admin.journalOf(run)).containsExactly("null->INIT CREATED");
    }

    @Test
    void idsIncreaseAndFitIntoJavaScriptNumbers() {
        List<Run> runs = admin.runs.create(
                List.of(AdminFixture.newRun(group, null), AdminFixture.newRun(group, null)), AdminFixture.CLAIM);

        assertThat(runs)
                .extracting(Run::id)
                .isSorted()
                .allSatisfy(id -> assertThat(id).isPositive().isLessThan(1L << 53));
    }

    @Test
    void createsOneRunPerFireTime() {
        NewRun planned = AdminFixture.newRun(group, NOON);
        List<Run> first = admin.runs.create(List.of(planned), AdminFixture.CLAIM);

        List<Run> again = admin.runs.create(
                List.of(planned, AdminFixture.newRun(group, NOON.plusSeconds(1))), AdminFixture.CLAIM);

        assertThat(first).hasSize(1);
        assertThat(again).extracting(Run::scheduleTime).containsExactly(NOON.plusSeconds(1));
        assertThat(transitions()).isEqualTo(2);
    }

    @Test
    void createsEachManualRun() {
        NewRun byHand = AdminFixture.newRun(group, null);

        assertThat(admin.runs.create(List.of(byHand, byHand, byHand), AdminFixture.CLAIM))
                .hasSize(3);
    }

    @Test
    void acceptedRunIsPending() {
        Run run = admin.intendedRun(group, executor);

        Set<Long> moved = admin.runs.accept(List.of(Acceptance.of(run, "accepted by x")), RunCause.ACCEPTED);

        Run pending = admin.runs.get(run.id());
        assertThat(moved).containsExactly(run.id());
        assertThat(pending.status()).isEqualTo(RunStatus.PENDING);
        assertThat(pending.triggerCode()).isEqualTo(Codes.SUCCESS);
        assertThat(pending.triggerMsg()).isEqualTo("accepted by x");
        assertThat(pending.finishedAt()).isNull();
        assertThat(admin.journalOf(run)).containsExactly("null->INIT CREATED", "INIT->PENDING ACCEPTED");
    }

    @Test
    void rejectedRunIsTriggerFailed() {
        Run run = admin.unsentRun(group);

        admin.runs.refuse(List.of(Refusal.of(run, "nobody wants it")));

        Run failed = admin.runs.get(run.id());
        assertThat(failed.status()).isEqualTo(RunStatus.TRIGGER_FAILED);
        assertThat(failed.triggerCode()).isEqualTo(Codes.FAIL);
        assertThat(failed.handleCode()).isEqualTo(Codes.NONE);
        assertThat(failed.triggerMsg()).isEqualTo("nobody wants it");
        assertThat(failed.finishedAt()).isNotNull();
        assertThat(admin.journalOf(run)).containsExactly("null->INIT CREATED", "INIT->TRIGGER_FAILED REFUSED");
    }

    @Test
    void doesNotRejectAcceptedRun() {
        Run run = admin.pendingRun(group, executor);

        assertThat(admin.runs.refuse(List.of(Refusal.of(run, "too late")))).isEmpty();

        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(admin.journalOf(run)).containsExactly("null->INIT CREATED", "INIT->PENDING ACCEPTED");
    }

    @Test
    void acceptsRunOnce() {
        Run run = admin.pendingRun(group, executor);

        assertThat(admin.runs.accept(List.of(Acceptance.of(run, "again")), RunCause.UNCONFIRMED))
                .isEmpty();

        assertThat(admin.runs.get(run.id()).triggerMsg()).isEqualTo("accepted");
        assertThat(admin.journalOf(run)).hasSize(2);
    }

    @Test
    void journalsOnlyMovedRunsWithoutGaps() {
        Run first = admin.intendedRun(group, executor);
        Run gone = admin.intendedRun(group, executor);
        Run second = admin.intendedRun(group, executor);
        admin.runs.refuse(List.of(Refusal.of(gone, "refused before")));

        Set<Long> moved = admin.runs.accept(
                List.of(
                        Acceptance.of(second, null),
                        Acceptance.of(gone, null),
                        Acceptance.of(first, null),
                        new Acceptance(12_345L, first.fence(), null)),
                RunCause.ACCEPTED);

        assertThat(moved).containsExactlyInAnyOrder(first.id(), second.id());
        assertThat(timeline(first)).extracting(StateTransition::sequence).containsExactly(1, 2);
        assertThat(timeline(gone)).extracting(StateTransition::to).containsExactly("INIT", "TRIGGER_FAILED");
        assertThat(transitions()).isEqualTo(6);
    }

    @Test
    void journalHasDurationNodeAndExecutor() {
        Run run = admin.intendedRun(group, executor);
        admin.jdbc
                .sql("update orth_run set created_at = created_at - interval '90 seconds'")
                .update();

        admin.runs.accept(List.of(Acceptance.of(run, null)), RunCause.ACCEPTED);

        assertThat(timeline(run).get(0).millisInFrom()).isNull();
        assertThat(timeline(run).get(1)).satisfies(step -> {
            assertThat(step.millisInFrom()).isBetween(90_000L, 110_000L);
            assertThat(step.writer().node()).isEqualTo(admin.node.id());
            assertThat(step.executor().id()).isEqualTo(executor.executorId());
            assertThat(step.traceId()).isEqualTo("trace");
        });
    }

    @Test
    void recordsIntentOncePerDispatch() {
        Run run = admin.unsentRun(group);
        SendIntent intent = new SendIntent(run.id(), 0, executor.executorId(), executor.address());

        Set<Long> first = admin.runs.intend(List.of(intent), AdminFixture.CLAIM);
        Set<Long> second = admin.runs.intend(List.of(intent), AdminFixture.CLAIM);

        Run intended = admin.runs.get(run.id());
        assertThat(first).containsExactly(run.id());
        assertThat(second).isEmpty();
        assertThat(intended.dispatch()).isEqualTo(1);
        assertThat(intended.executorId()).isEqualTo(executor.executorId());
        assertThat(intended.address()).isEqualTo(executor.address());
        assertThat(intended.status()).isEqualTo(RunStatus.INIT);
    }

    @Test
    void recordsIntentOnlyForUnsentRun() {
        Run run = admin.pendingRun(group, executor);

        SendIntent intent = new SendIntent(run.id(), run.dispatch(), executor.executorId(), executor.address());

        assertThat(admin.runs.intend(List.of(intent), AdminFixture.CLAIM)).isEmpty();
    }

    @Test
    void claimsUnsentRunsAfterTheirClaimExpires() {
        Run fresh = admin.unsentRun(group);
        Run pending = admin.pendingRun(group, executor);

        assertThat(admin.runs.claimUnsent(10, AdminFixture.CLAIM)).isEmpty();
        admin.expireClaims();
        assertThat(admin.runs.claimUnsent(10, AdminFixture.CLAIM))
                .extracting(Run::id)
                .containsExactly(fresh.id());
        assertThat(admin.runs.claimUnsent(10, AdminFixture.CLAIM)).isEmpty();
        assertThat(admin.statusOf(pending)).isEqualTo(RunStatus.PENDING);
    }

    @Test
    void neverExtendsClaim() {
        Run run = admin.unsentRun(group);

        admin.runs.shortenClaim(List.of(run.id()), Duration.ofHours(1));
        assertThat(claimSeconds(run)).isLessThanOrEqualTo(10);
        admin.runs.shortenClaim(List.of(run.id()), Duration.ofSeconds(1));
        assertThat(claimSeconds(run)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest(name = "{0} with {1}/{2}")
    @CsvSource({
        "INIT, 200, 0",
        "INIT, 0, 200",
        "PENDING, 0, 0",
        "PENDING, 200, 500",
        "SUCCESS, 200, 500",
        "SUCCESS, 500, 200",
        "TIMEOUT, 200, 200",
        "FAILED, 200, 0",
        "FAILED, 200, 200",
        "FAILED, 200, 502",
        "TRIGGER_FAILED, 200, 0",
        "TRIGGER_FAILED, 0, 0",
        "TRIGGER_FAILED, 409, 0",
        "SKIPPED, 500, 0",
        "SKIPPED, 200, 0",
        "SKIPPED, 409, 200",
        "DONE, 200, 200"
    })
    void databaseRejectsStatusThatContradictsCodes(String status, int triggerCode, int handleCode) {
        Run run = admin.unsentRun(group);

        assertThatThrownBy(() -> admin.jdbc
                        .sql("update orth_run set status = ?, trigger_code = ?, handle_code = ? where id = ?")
                        .params(status, triggerCode, handleCode, run.id())
                        .update())
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThatThrownBy(() -> admin.jdbc
                        .sql("""
                                insert into orth_run_history
                                select (json_populate_record(r, json_build_object('status', ?, 'trigger_code', ?,
                                                                                  'handle_code', ?))).*
                                  from orth_run r where id = ?
                                """)
                        .params(status, triggerCode, handleCode, run.id())
                        .update())
                .isInstanceOf(DataIntegrityViolationException.class)
                .hasMessageContaining("the_status_agrees_with_the_codes");
    }

    @Test
    void reportsUnknownRunAsNotFound() {
        assertThatThrownBy(() -> admin.runs.get(1))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void listsMatchingRunsNewestFirst() {
        ExecutorGroup other = admin.group("other");
        Run first = admin.unsentRun(group);
        Run second = admin.pendingRun(group, executor);
        Run third = admin.runs
                .create(
                        List.of(new NewRun(
                                2,
                                "b",
                                other.id(),
                                "h",
                                "",
                                TriggerType.API,
                                null,
                                JobSpecs.PLAIN,
                                null,
                                null,
                                Route.DEFAULT)),
                        AdminFixture.CLAIM)
                .get(0);

        assertThat(ids(filter(null, null, null))).containsExactly(third.id(), second.id(), first.id());
        assertThat(ids(filter(1, null, null))).containsExactly(second.id(), first.id());
        assertThat(ids(filter(null, other.id(), null))).containsExactly(third.id());
        assertThat(ids(filter(null, null, RunStatus.PENDING))).containsExactly(second.id());
        assertThat(ids(filter(2, group.id(), null))).isEmpty();
    }

    @Test
    @Tag("must-first")
    void ordersRunsOfSeveralStatusesTogether() {
        List<Long> wanted = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            wanted.add(0, admin.unsentRun(group).id());
            admin.callbacks.take(
                    group.id(),
                    List.of(new CallbackItem(admin.pendingRun(group, executor).id(), 0, 200, "done", "instance")));
            wanted.add(0, admin.pendingRun(group, executor).id());
        }
        Set<RunStatus> statuses = Set.of(RunStatus.INIT, RunStatus.PENDING, RunStatus.TIMEOUT);

        assertThat(ids(new RunFilter(null, null, statuses, null, null, Long.MAX_VALUE, 100)))
                .isEqualTo(wanted);
        assertThat(ids(new RunFilter(null, group.id(), statuses, null, null, wanted.get(1), 3)))
                .isEqualTo(wanted.subList(2, 5));
        assertThat(ids(new RunFilter(null, null, Set.of(RunStatus.values()), null, null, Long.MAX_VALUE, 100)))
                .hasSize(9);
    }

    @Test
    void filtersListByCreationTime() {
        Run run = admin.unsentRun(group);
        Instant made = run.createdAt();
        Duration minute = Duration.ofMinutes(1);

        assertThat(ids(between(made.minus(minute), made.plus(minute)))).containsExactly(run.id());
        assertThat(ids(between(made.plus(minute), null))).isEmpty();
        assertThat(ids(between(null, made.minus(minute)))).isEmpty();
        assertThat(ids(between(Instant.MIN, Instant.MAX))).containsExactly(run.id());
    }

    @Test
    void pagesHaveNoGapOrDuplicate() {
        List<Long> made = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            made.add(0, admin.unsentRun(group).id());
        }

        List<Long> seen = new ArrayList<>();
        long before = Long.MAX_VALUE;
        for (int page = 0; page < 4; page++) {
            List<Long> found = ids(new RunFilter(null, null, null, null, null, before, 2));
            admin.unsentRun(group);
            seen.addAll(found);
            before = seen.get(seen.size() - 1);
        }

        assertThat(seen).isEqualTo(made);
    }

    @Test
    void findsLatestRunOfEachJob() {
        admin.unsentRun(group);
        Run newest = admin.unsentRun(group);

        assertThat(admin.runs.latestOf(List.of(1, 2))).extracting(Run::id).containsExactly(newest.id());
        assertThat(admin.runs.latestOf(List.of())).isEmpty();
    }

    private List<Long> ids(RunFilter filter) {
        return admin.runs.list(filter).stream().map(Run::id).toList();
    }

    private static RunFilter filter(Integer job, Integer group, RunStatus status) {
        return new RunFilter(job, group, status == null ? null : Set.of(status), null, null, Long.MAX_VALUE, 100);
    }

    private static RunFilter between(Instant from, Instant to) {
        return new RunFilter(null, null, null, from, to, Long.MAX_VALUE, 100);
    }

    private List<StateTransition> timeline(Run run) {
        return admin.journal.list(EntityKind.RUN, run.id());
    }

    private int transitions() {
        return admin.jdbc
                .sql("select count(*) from orth_transition where entity = 'RUN'")
                .query(Integer.class)
                .single();
    }

    private double claimSeconds(Run run) {
        return admin.jdbc
                .sql("select extract(epoch from claim_until - now()) from orth_run_all where id = :id")
                .param("id", run.id())
                .query(Double.class)
                .single();
    }
}
