package io.orth.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.DayPartitions;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunFilter;
import io.orth.admin.run.RunStatus;
import io.orth.protocol.CallbackItem;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Finished runs: where they are kept, for how long, and how they are counted. */
@Tag("must-runs")
class RunHistoryDbTest {

    private static final HistoryProperties KEEP =
            new HistoryProperties(Duration.ofDays(30), Duration.ofDays(400), Duration.ofDays(14), Duration.ofDays(7));

    /** A day far from today, so that partitions made by the migration are not in the way. */
    private static final Instant NOON = Instant.parse("2027-06-15T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at(NOON);
    private AdminFixture admin;
    private ExecutorGroup group;
    private Target executor;
    private RunReports reports;
    private DayPartitions days;
    private boolean ours = true;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("g");
        executor = admin.executor(group, "instance", "http://127.0.0.1:9999");
        reports = new RunReports(admin.jdbc);
        days = new DayPartitions(admin.jdbc, "orth_run_history", "orth_add_run_day");
        days.list().forEach(day -> admin.transactions.run(() -> days.drop(day)));
    }

    @Test
    void movesFinishedRunToHistoryAndStillFindsIt() {
        Run run = admin.pendingRun(group, executor);

        end(run, 200);

        assertThat(count("orth_run")).isZero();
        assertThat(count("orth_run_history")).isEqualTo(1);
        assertThat(admin.runs.get(run.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(admin.runs.list(
                        new RunFilter(null, null, Set.of(RunStatus.SUCCESS), null, null, Long.MAX_VALUE, 10)))
                .extracting(Run::id)
                .containsExactly(run.id());
        assertThat(admin.runs.latestOf(List.of(run.jobId())))
                .extracting(Run::id)
                .containsExactly(run.id());
    }

    @Test
    void createsDayPartitionsInAdvance() {
        keep();

        assertThat(days.list())
                .containsExactly(
                        LocalDate.parse("2027-06-15"), LocalDate.parse("2027-06-16"), LocalDate.parse("2027-06-17"));
    }

    @Test
    void dropsExpiredDayAsAWhole() {
        keep();
        ended(NOON);
        clock.advance(Duration.ofDays(30));

        keep();
        assertThat(days.list()).contains(LocalDate.parse("2027-06-15"));
        assertThat(count("orth_run_history")).isEqualTo(1);

        clock.advance(Duration.ofDays(1));
        keep();
        assertThat(days.list())
                .doesNotContain(LocalDate.parse("2027-06-15"))
                .contains(LocalDate.parse("2027-07-16"), LocalDate.parse("2027-07-18"));
        assertThat(count("orth_run_history")).isZero();
    }

    @Test
    void movesRunsToTheirPartitionOnceItExists() {
        ended(NOON);
        assertThat(count("orth_run_history_rest")).isEqualTo(1);

        keep();

        assertThat(count("orth_run_history_rest")).isZero();
        assertThat(count("orth_run_history_20270615")).isEqualTo(1);
    }

    @Test
    void keepsRunThatFinishesAfterItsDayWasDropped() {
        ended(NOON.minus(Duration.ofDays(90)));
        admin.jdbc
                .sql("update orth_run_history set finished_at = :at")
                .param("at", NOON.atOffset(ZoneOffset.UTC))
                .update();

        keep();
        assertThat(count("orth_run_history_rest")).isEqualTo(1);

        clock.advance(Duration.ofDays(31));
        keep();
        assertThat(count("orth_run_history_rest")).isZero();
    }

    @Test
    void doesNothingWithoutTheLease() {
        ours = false;

        keep();

        assertThat(days.list()).isEmpty();
    }

    @Test
    void countsRunStatusesIncrementally() {
        end(admin.pendingRun(group, executor), 200);
        end(admin.pendingRun(group, executor), 200);
        end(admin.pendingRun(group, executor), 500);
        end(admin.pendingRun(group, executor), 502);
        Map<RunStatus, Long> expected = Map.of(RunStatus.SUCCESS, 2L, RunStatus.FAILED, 1L, RunStatus.TIMEOUT, 1L);

        assertThat(today(null)).isEqualTo(expected);
        assertThat(admin.transactions.call(() -> reports.fold(100))).isEqualTo(4);
        assertThat(count("orth_run_tally")).isZero();
        assertThat(today(null)).isEqualTo(expected);
        assertThat(today(group.id())).isEqualTo(expected);
        assertThat(today(group.id() + 1)).isEmpty();
    }

    @Test
    @Tag("must-first")
    @Tag("must-kernel")
    void skippedRunsAreCountedApart() {
        Run skipped = admin.unsentRun(group);
        admin.runs.skip(List.of(Refusal.of(skipped, "the job was busy")));
        admin.jdbc.sql("update orth_run_tally set millis = 7000").update();

        admin.transactions.call(() -> reports.fold(100));

        LocalDate day = LocalDate.now(ZoneOffset.UTC);
        assertThat(reports.byDay(day.minusDays(1), day.plusDays(1), ZoneOffset.UTC, null))
                .filteredOn(each -> !each.runs().isEmpty())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.runs()).isEqualTo(Map.of(RunStatus.SKIPPED, 1L));
                    assertThat(each.total()).isZero();
                    assertThat(each.millis()).isZero();
                });
    }

    @Test
    void foldsEachRunOnce() {
        end(admin.pendingRun(group, executor), 200);
        admin.transactions.call(() -> reports.fold(100));
        end(admin.pendingRun(group, executor), 200);
        admin.transactions.call(() -> reports.fold(100));
        admin.transactions.call(() -> reports.fold(100));

        assertThat(today(null)).isEqualTo(Map.of(RunStatus.SUCCESS, 2L));
    }

    @Test
    void countsCorrectedRunUnderItsFinalStatus() {
        Run run = admin.intendedRun(group, executor);
        admin.runs.giveUp(List.of(run), "nobody knows");
        assertThat(today(null)).isEqualTo(Map.of(RunStatus.FAILED, 1L));

        end(run, 200);

        assertThat(admin.runs.get(run.id()).status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(today(null)).containsEntry(RunStatus.SUCCESS, 1L).containsEntry(RunStatus.FAILED, 0L);
    }

    @Test
    void daysAreThoseOfTheZone() {
        admin.jdbc.sql("""
                        insert into orth_run_report values
                        ('2027-06-14T22:00:00Z', :group, 'SUCCESS', 1, 10), ('2027-06-15T21:00:00Z', :group, 'SUCCESS', 2, 10),
                        ('2027-06-15T22:00:00Z', :group, 'SUCCESS', 4, 10)
                        """).param("group", group.id()).update();
        LocalDate day = LocalDate.parse("2027-06-15");

        assertThat(reports.byDay(day, day, ZoneId.of("Europe/Berlin"), null))
                .containsExactly(new RunReports.Day(day, Map.of(RunStatus.SUCCESS, 3L), 20));
        assertThat(reports.byDay(day, day, ZoneOffset.UTC, null))
                .extracting(RunReports.Day::total)
                .containsExactly(6L);
    }

    @Test
    void keepsReportsLongerThanRuns() {
        admin.jdbc
                .sql("insert into orth_run_report values (:at, 1, 'SUCCESS', 1, 1)")
                .param("at", NOON.atOffset(ZoneOffset.UTC))
                .update();
        clock.advance(Duration.ofDays(399));
        keep();
        assertThat(count("orth_run_report")).isEqualTo(1);

        clock.advance(Duration.ofDays(2));
        keep();
        assertThat(count("orth_run_report")).isZero();
    }

    private void keep() {
        new HistoryKeeper(
                        List.of(KeptDays.ofRuns(admin.jdbc, reports, clock, KEEP)),
                        term -> ours,
                        admin.transactions,
                        clock,
                        admin.systemLog)
                .run(1);
    }

    /** One that ended, as if it had been made at {@code instant}. */
    private void ended(Instant instant) {
        end(admin.pendingRun(group, executor), 200);
        admin.jdbc
                .sql("update orth_run_history set id = :id, finished_at = :at")
                .param("id", RunIdGenerator.lowestIdAt(instant))
                .param("at", instant.atOffset(ZoneOffset.UTC))
                .update();
    }

    private void end(Run run, int code) {
        admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, code, "", executor.instanceId())));
    }

    private Map<RunStatus, Long> today(Integer groupId) {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        return reports.byDay(today.minusDays(1), today, ZoneOffset.UTC, groupId).stream()
                .map(RunReports.Day::runs)
                .filter(runs -> !runs.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    private int count(String table) {
        return admin.jdbc
                .sql("select count(*) from " + table)
                .query(Integer.class)
                .single();
    }
}
