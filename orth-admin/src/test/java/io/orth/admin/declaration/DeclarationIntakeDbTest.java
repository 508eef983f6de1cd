package io.orth.admin.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.BlockScope;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobChanged;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.Jobs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.security.AuditLog;
import io.orth.admin.security.TestAudit;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.DeclaredJobs.Refused;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Jobs declared by code, with concurrent edits by users and other versions of the code. */
@Tag("must-runs")
class DeclarationIntakeDbTest {

    private static final String THREE = "0 0 3 * * ?";
    private static final String FOUR = "0 0 4 * * ?";
    private static final String FIVE = "0 0 5 * * ?";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final List<Object> events = new ArrayList<>();
    private AdminFixture admin;
    private Jobs jobs;
    private AuditLog audit;
    private DeclarationIntake intake;
    private Declarations declarations;
    private ExecutorGroup group;
    private int instances;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db, clock);
        admin.jdbc.sql("delete from orth_audit").update();
        jobs = new Jobs(admin.jdbc, admin.changes, admin.ledger, admin.transactions, clock, this::hear);
        audit = TestAudit.over(admin.jdbc, clock);
        intake = new DeclarationIntake(admin.jdbc, jobs, audit, admin.transactions, this::hear);
        declarations = new Declarations(admin.jdbc, jobs);
        group = admin.group("billing");
    }

    /** A listener notified before the commit may read too early. */
    private void hear(Object event) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            events.add(event);
        }
    }

    @Test
    void createsAndSchedulesUnknownJob() {
        assertThat(start(cron("report", THREE)).declares()).isEmpty();

        Job job = job("report");
        assertThat(job.enabled()).isTrue();
        assertThat(job.nextFireAt()).isEqualTo("2030-01-02T03:00:00Z");
        assertThat(job.spec())
                .isEqualTo(JobSpecs.of(
                        "report", group.id(), "h", "", new Schedule.Cron(THREE, "UTC"), MisfirePolicy.FIRE_ONCE));
        assertThat(state("report")).isEqualTo(DeclarationState.FOLLOWED);
        assertThat(events).contains(new JobChanged(job.id()));
        assertThat(audited()).containsExactly("billing/i-1 job %d report created".formatted(job.id()));
    }

    @Test
    void repeatedDeclarationChangesNothing() {
        start(cron("report", THREE)).declares();
        Job before = job("report");
        events.clear();

        Instance second = start(cron("report", THREE));

        assertThat(second.isAsked()).as("what is in force is not asked for").isFalse();
        second.declares();
        assertThat(job("report")).isEqualTo(before);
        assertThat(events).isEmpty();
        assertThat(audited()).hasSize(1);
    }

    @Test
    void uneditedJobFollowsTheCode() {
        start(cron("report", THREE)).declares();
        events.clear();

        start(cron("report", FOUR)).declares();

        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(job("report").nextFireAt()).isEqualTo("2030-01-02T04:00:00Z");
        assertThat(state("report")).isEqualTo(DeclarationState.FOLLOWED);
        assertThat(events).contains(new JobChanged(job("report").id()));
        assertThat(audited()).last().asString().endsWith("report updated");
    }

    @Test
    void keepsUserEditsAndShowsDifferences() {
        start(cron("report", THREE)).declares();
        edit("report", FIVE);

        start(cron("report", FOUR)).declares();

        assertThat(cronOf("report")).isEqualTo(FIVE);
        assertThat(state("report")).isEqualTo(DeclarationState.DIFFERS);
        assertThat(differences("report")).containsExactly(new Difference("schedule.cron", FOUR, FIVE));
    }

    @Test
    void keepsJobThatUserResetToOldDeclaration() {
        start(cron("report", THREE)).declares();
        start(cron("report", FOUR)).declares();
        edit("report", THREE);

        start(cron("report", FIVE)).declares();

        assertThat(cronOf("report")).isEqualTo(THREE);
    }

    @Test
    void appliedDeclarationFollowsTheCodeAgain() {
        start(cron("report", THREE)).declares();
        edit("report", FIVE);
        start(cron("report", FOUR)).declares();
        jobs.pause(job("report").id());

        Job taken = declarations.apply(job("report").id());

        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(taken.enabled()).as("still paused").isFalse();
        assertThat(state("report")).isEqualTo(DeclarationState.FOLLOWED);
        assertThat(declarations.apply(taken.id()).version()).isEqualTo(taken.version());
        start(cron("report", THREE)).declares();
        assertThat(cronOf("report")).isEqualTo(THREE);
    }

    @Test
    void pauseSurvivesWithoutEndingTheFollowing() {
        start(cron("report", THREE)).declares();
        jobs.pause(job("report").id());

        start(cron("report", FOUR)).declares();

        assertThat(job("report").enabled()).isFalse();
        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(state("report")).isEqualTo(DeclarationState.FOLLOWED);
    }

    @Test
    void fieldsOutsideDeclarationsAreNoDifference() {
        start(cron("report", THREE)).declares();
        Job child = jobs.create(
                JobSpecs.of("child", group.id(), "h", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE), true);
        Job job = job("report");
        AfterRun after =
                new AfterRun(job.spec().after().retry(), List.of(new ChildJob(child.id(), ChildJob.Pass.NONE, null)));
        jobs.update(job.id(), job.version(), job.spec().followedBy(after), true);

        start(cron("report", FOUR)).declares();

        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(job("report").spec().after().children()).hasSize(1);
    }

    @Test
    void doesNotOverwriteJobCreatedBefore() {
        admin.job(group, "report", new Schedule.Cron(FIVE, "UTC"), MisfirePolicy.FIRE_ALL);

        start(cron("report", THREE)).declares();
        start(cron("report", FOUR)).declares();

        assertThat(cronOf("report")).isEqualTo(FIVE);
        assertThat(state("report")).isEqualTo(DeclarationState.DIFFERS);
        assertThat(differences("report"))
                .extracting(Difference::field)
                .containsExactly("handler", "param", "schedule.cron", "misfire");
        assertThat(audited()).isEmpty();
    }

    @Test
    void doesNotRecreateRenamedJob() {
        start(cron("report", THREE)).declares();
        Job job = job("report");
        jobs.update(job.id(), job.version(), spec("renamed", THREE), true);

        start(cron("report", FOUR)).declares();

        assertThat(jobs.findByName(group.id(), "report")).isEmpty();
        assertThat(differences("renamed")).extracting(Difference::field).containsExactly("name", "schedule.cron");
        assertThat(start(cron("report", FOUR), cron("renamed", FOUR)).declares())
                .extracting(Refused::msg)
                .containsExactly("name is that of a job which code declares under another name: report");
    }

    @Test
    void deletedJobReturnsOnlyWithChangedDeclaration() {
        start(cron("report", THREE), cron("other", THREE)).declares();
        jobs.delete(job("report").id());

        start(cron("report", THREE), cron("other", FOUR)).declares();
        assertThat(jobs.findByName(group.id(), "report")).isEmpty();
        assertThat(declarations.inVain(10))
                .extracting(JobDeclaration::name, one -> declarations.stateOf(one, null))
                .containsExactly(org.assertj.core.groups.Tuple.tuple("report", DeclarationState.DISMISSED));

        start(cron("report", "0 0 99 * * ?"), cron("other", FOUR)).declares();
        start(cron("report", THREE), cron("other", FOUR)).declares();
        assertThat(jobs.findByName(group.id(), "report"))
                .as("after something that could not be, it says the same again")
                .isEmpty();

        start(cron("report", FOUR), cron("other", FOUR)).declares();
        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(declarations.inVain(10)).isEmpty();
    }

    @Test
    void keepsManualReplacementUntilDeclarationIsApplied() {
        start(cron("report", THREE)).declares();
        jobs.delete(job("report").id());
        Job made = admin.job(group, "report", new Schedule.Cron(FIVE, "UTC"), MisfirePolicy.FIRE_ONCE);

        assertThat(state("report")).isEqualTo(DeclarationState.DIFFERS);
        declarations.apply(made.id());

        assertThat(cronOf("report")).isEqualTo(THREE);
        start(cron("report", FOUR)).declares();
        assertThat(cronOf("report")).isEqualTo(FOUR);
    }

    @Test
    void withdrawnJobKeepsRunningAndIsMarked() {
        start(cron("report", THREE), cron("other", THREE)).declares();

        start(cron("other", THREE)).declares();

        assertThat(job("report").enabled()).isTrue();
        assertThat(state("report")).isEqualTo(DeclarationState.WITHDRAWN);
        assertThat(state("other")).isEqualTo(DeclarationState.FOLLOWED);
        int id = job("report").id();
        assertThatThrownBy(() -> declarations.apply(id))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));

        start(cron("report", FOUR), cron("other", THREE)).declares();
        assertThat(state("report")).isEqualTo(DeclarationState.FOLLOWED);
        assertThat(cronOf("report")).isEqualTo(FOUR);
    }

    @Test
    void aVersionThatDeclaresNothingAtAllWithdrawsEverything() {
        start(cron("report", THREE)).declares();

        Instance silent = start();

        assertThat(silent.isAsked()).isTrue();
        silent.declares();
        assertThat(state("report")).isEqualTo(DeclarationState.WITHDRAWN);
        assertThat(silent.isAsked()).isFalse();
    }

    @Test
    void requestsNothingFromGroupWithoutDeclarations() {
        assertThat(start().isAsked()).isFalse();
    }

    @Test
    void youngestInstanceDeclaresForTheGroup() {
        Instance old = start(cron("report", THREE));
        old.declares();
        Instance young = start(cron("report", FOUR));
        young.declares();

        assertThat(old.isAsked()).as("the older one beats on").isFalse();
        old.declares();
        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(young.isAsked()).isFalse();

        Instance oldAgain = start(cron("report", THREE));
        assertThat(oldAgain.isAsked()).as("restarted, it is the youngest").isTrue();
        oldAgain.declares();
        assertThat(cronOf("report")).isEqualTo(THREE);
        oldAgain.leaves(Duration.ofMinutes(11));
        assertThat(young.isAsked())
                .as("and when it has gone, the next one speaks")
                .isTrue();
        young.declares();
        assertThat(cronOf("report")).isEqualTo(FOUR);
    }

    @Test
    void restartingInstanceDoesNotAlternateVersions() {
        Instance old = start(cron("report", THREE));
        old.declares();
        Instance crashing = start(cron("report", FOUR));
        crashing.declares();

        crashing.leaves(Duration.ofMinutes(9));
        assertThat(old.isAsked()).isFalse();
        Instance restarted = start(cron("report", FOUR));
        assertThat(restarted.isAsked()).isFalse();
        restarted.leaves(Duration.ofMinutes(11));
        crashing.leaves(Duration.ofMinutes(20));

        assertThat(old.isAsked()).as("the new version was given up").isTrue();
        old.declares();
        assertThat(cronOf("report")).isEqualTo(THREE);
    }

    @Test
    void ignoresLateDeclarationOfOlderInstance() {
        Instance old = start(cron("report", THREE));
        assertThat(old.isAsked()).isTrue();
        Instance young = start(cron("other", FOUR));
        assertThat(young.isAsked()).isTrue();

        old.declares();

        assertThat(jobs.findByName(group.id(), "report")).isEmpty();
        young.declares();
        assertThat(cronOf("other")).isEqualTo(FOUR);
        assertThat(jobs.findByName(group.id(), "report")).isEmpty();
    }

    @Test
    void nextHeartbeatRepairsInterruptedIntake() {
        Instance instance = start(cron("one", THREE), cron("two", THREE));
        instance.declares();
        admin.jdbc.sql("update orth_declared_set set hash = null").update();
        admin.jdbc.sql("delete from orth_job_declaration where name = 'two'").update();
        jobs.delete(job("two").id());

        assertThat(instance.isAsked()).isTrue();
        instance.declares();

        assertThat(job("two").enabled()).isTrue();
        assertThat(instance.isAsked()).isFalse();
    }

    @Test
    void rejectsInvalidDeclarationsIndividuallyWithReason() {
        List<Refused> refused = start(
                        cron("bad cron", "0 0 99 * * ?"),
                        zoned("bad zone", "Mars/Olympus"),
                        declared("bad rule", null, new DeclaredJob.Rules(null, "ROULETTE", null, 1, 0, null, 1, null)),
                        declared(
                                "bad type",
                                new DeclaredJob.Schedule("MOON", null, null, null),
                                DeclaredJob.Rules.DEFAULT),
                        declared(
                                "past",
                                new DeclaredJob.Schedule("CRON", "0 0 0 1 1 ? 2020", "UTC", null),
                                DeclaredJob.Rules.DEFAULT),
                        declared(
                                "none",
                                new DeclaredJob.Schedule("FIXED_RATE", null, null, null),
                                DeclaredJob.Rules.DEFAULT),
                        new DeclaredJob("nul\0", "h", "", null, DeclaredJob.Rules.DEFAULT),
                        new DeclaredJob("half \ud800", "h", "", null, DeclaredJob.Rules.DEFAULT),
                        new DeclaredJob("param", "h", "\0", null, DeclaredJob.Rules.DEFAULT),
                        new DeclaredJob("n".repeat(201), "h", "", null, DeclaredJob.Rules.DEFAULT),
                        declared("worldwide", null, new DeclaredJob.Rules(null, null, "WORLD", 1, 0, null, 1, null)),
                        cron("good", THREE))
                .declares();

        assertThat(cronOf("good")).isEqualTo(THREE);
        assertThat(refused).hasSize(11);
        assertThat(refused.get(10).msg()).isEqualTo("blockScope must be one of EXECUTOR, CLUSTER");
        assertThat(refused).extracting(Refused::msg).allMatch(message -> !message.isBlank());
        assertThat(refused.get(1)).isEqualTo(new Refused("bad zone", "schedule.zone is not a time zone: Mars/Olympus"));
        assertThat(refused.get(2).msg()).startsWith("blockStrategy must be one of SERIAL");
        assertThat(declarations.inVain(20))
                .extracting(JobDeclaration::name)
                .containsExactly("bad cron", "bad rule", "bad type", "bad zone", "none", "param", "past", "worldwide");
        assertThat(declarations.inVain(20)).allMatch(one -> one.problem() != null);
    }

    @Test
    @Tag("must-kernel")
    void declaresBlockScope() {
        start(declared("report", null, new DeclaredJob.Rules(null, "DISCARD", "CLUSTER", 1, 0, null, 1, null)))
                .declares();
        assertThat(job("report").spec().execution().scope()).isEqualTo(BlockScope.CLUSTER);

        start(declared("report", null, new DeclaredJob.Rules(null, "DISCARD", null, 1, 0, null, 1, null)))
                .declares();
        assertThat(job("report").spec().execution().scope()).isEqualTo(BlockScope.EXECUTOR);
    }

    @Test
    void rejectedChangeLeavesJobUntilNextValidOne() {
        start(cron("report", THREE)).declares();

        start(cron("report", "0 0 99 * * ?")).declares();
        assertThat(cronOf("report")).isEqualTo(THREE);
        assertThat(state("report")).isEqualTo(DeclarationState.REFUSED);

        start(cron("report", FOUR)).declares();
        assertThat(cronOf("report")).isEqualTo(FOUR);
        assertThat(state("report")).isEqualTo(DeclarationState.FOLLOWED);
    }

    @Test
    void unreadableStoredDeclarationHidesNoJob() {
        start(cron("report", THREE)).declares();
        admin.jdbc
                .sql(
                        "update orth_job_declaration set declared = jsonb_set(declared, '{schedule,zone}', '\"Mars/Olympus\"')")
                .update();

        assertThat(state("report")).isEqualTo(DeclarationState.DIFFERS);
        assertThat(differences("report")).isEmpty();
        assertThatThrownBy(() -> declarations.apply(job("report").id())).isInstanceOf(OrthException.class);
    }

    @Test
    void aDeclarationConcernsItsGroupOnly() {
        ExecutorGroup other = admin.group("other");
        Job others = admin.job(other, "report", new Schedule.Cron(FIVE, "UTC"), MisfirePolicy.FIRE_ONCE);

        start(cron("report", THREE)).declares();

        assertThat(jobs.get(others.id())).isEqualTo(others);
        assertThat(declarations.of(others)).isEmpty();
        assertThat(cronOf("report")).isEqualTo(THREE);
    }

    @Test
    void jobMovedToAnotherGroupIsLeftAlone() {
        start(cron("report", THREE)).declares();
        Job job = job("report");
        ExecutorGroup other = admin.group("other");
        JobSpec moved =
                JobSpecs.of("report", other.id(), "h", "", new Schedule.Cron(THREE, "UTC"), MisfirePolicy.FIRE_ONCE);
        jobs.update(job.id(), job.version(), moved, true);

        start(cron("report", FOUR)).declares();

        assertThat(jobs.get(job.id()).spec()).isEqualTo(moved);
        assertThat(jobs.findByName(group.id(), "report")).isEmpty();
    }

    @Test
    void rejectsSecondDeclarationOfSameName() {
        assertThat(start(cron("twice", THREE), cron("twice", FOUR)).declares())
                .containsExactly(new Refused("twice", "is declared twice"));
        assertThat(cronOf("twice")).isEqualTo(THREE);
    }

    @Test
    void acceptsManyDeclarationsAndListsTheirStates() {
        DeclaredJob[] many =
                IntStream.range(0, 60).mapToObj(i -> cron("job " + i, THREE)).toArray(DeclaredJob[]::new);

        assertThat(start(many).declares()).isEmpty();

        List<Job> all = Stream.of(many).map(one -> job(one.name())).toList();
        assertThat(declarations.statesOf(all))
                .hasSize(60)
                .allSatisfy((id, state) -> assertThat(state).isEqualTo(DeclarationState.FOLLOWED));
        assertThat(declarations.statesOf(List.of())).isEmpty();
    }

    @Test
    void ignoresHeartbeatsWithoutValidDeclarationHash() {
        long executor = admin.executor(group, "silent", "http://127.0.0.1:9/").executorId();

        assertThat(intake.wants(group.id(), executor, null)).isNull();
        assertThat(intake.wants(group.id(), executor, "drop table")).isNull();
        assertThat(intake.wants(group.id(), executor, "x".repeat(100_000))).isNull();
    }

    /** An executor of the group that has registered. */
    private final class Instance {

        private final String id = "i-" + ++instances;
        private final DeclaredJobs said;
        private final Target target;

        Instance(DeclaredJob... declared) {
            said = new DeclaredJobs(
                    group.name(),
                    id,
                    List.of(declared).stream().noneMatch(job -> job.name().contains("\ud800"))
                            ? DeclaredJobs.hashOf(List.of(declared))
                            : "0".repeat(64),
                    List.of(declared),
                    List.of());
            target = admin.executor(group, id, "http://127.0.0.1:%d/".formatted(9000 + instances));
            isAsked();
        }

        boolean isAsked() {
            return intake.wants(group.id(), target.executorId(), said.hash());
        }

        List<Refused> declares() {
            return intake.take(new Declarer(group.id(), group.name(), id, "127.0.0.1", "trace"), said);
        }

        void leaves(Duration ago) {
            admin.jdbc
                    .sql("""
                    update orth_executor set status = 'OFFLINE', status_at = now() - make_interval(secs => :ago)
                     where id = :id
                    """)
                    .param("ago", ago.toSeconds())
                    .param("id", target.executorId())
                    .update();
        }
    }

    private Instance start(DeclaredJob... declared) {
        return new Instance(declared);
    }

    private static DeclaredJob cron(String name, String cron) {
        return declared(name, new DeclaredJob.Schedule("CRON", cron, "UTC", null), DeclaredJob.Rules.DEFAULT);
    }

    private static DeclaredJob zoned(String name, String zone) {
        return declared(name, new DeclaredJob.Schedule("CRON", THREE, zone, null), DeclaredJob.Rules.DEFAULT);
    }

    private static DeclaredJob declared(String name, DeclaredJob.Schedule schedule, DeclaredJob.Rules rules) {
        return new DeclaredJob(name, "h", "", schedule, rules);
    }

    private JobSpec spec(String name, String cron) {
        return JobSpecs.of(name, group.id(), "h", "", new Schedule.Cron(cron, "UTC"), MisfirePolicy.FIRE_ONCE);
    }

    private void edit(String name, String cron) {
        Job job = job(name);
        jobs.update(job.id(), job.version(), spec(name, cron), true);
    }

    private Job job(String name) {
        return jobs.findByName(group.id(), name).orElseThrow();
    }

    private String cronOf(String name) {
        return ((Schedule.Cron) job(name).spec().schedule()).expression();
    }

    private DeclarationState state(String name) {
        Job job = job(name);
        DeclarationState state = declarations.stateOf(declarations.of(job).orElseThrow(), job);
        assertThat(declarations.statesOf(List.of(job))).containsEntry(job.id(), state);
        return state;
    }

    private List<Difference> differences(String name) {
        Job job = job(name);
        return declarations.differences(declarations.of(job).orElseThrow(), job);
    }

    private List<String> audited() {
        return audit.list(new AuditLog.Query(null, null, Long.MAX_VALUE, 100)).stream()
                .sorted((a, b) -> Long.compare(a.id(), b.id()))
                .map(entry -> "%s %s %s".formatted(entry.actor(), entry.object(), entry.detail()))
                .toList();
    }
}
