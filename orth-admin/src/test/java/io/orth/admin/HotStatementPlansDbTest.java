package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.alarm.AlarmStatements;
import io.orth.admin.completion.CompletionFixture;
import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadRef;
import io.orth.admin.job.BlockScope;
import io.orth.admin.job.DecisionFilter;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.DueJob;
import io.orth.admin.job.DueJobs;
import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.LeftOut;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Stretch;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.registry.Reachability;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.ExecutorWait;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.NewChild;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunFilter;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.SendIntent;
import io.orth.admin.run.TriggerType;
import io.orth.admin.triggering.routing.Routes;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.GlueType;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * No statement of the hot path reads a whole table, however many rows it is about and however many there are. Where a table
 * is empty reading it is the best plan, so there it is made dear: what then remains is a statement without an index.
 *
 * <p>What looks after runs that are stuck, and lists for people, may read all open runs: there is no index that a change of
 * status would have to maintain for them.
 */
class HotStatementPlansDbTest {

    /** A partition of a few pages costs next to nothing to read. */
    private static final Pattern WHOLE_READ = Pattern.compile(
            "Seq Scan on orth_(run_history\\w*|job|job_child|transition|decision|route_use)\\b.*cost=(?!0\\.00\\.\\.\\d\\.)");

    private static final Pattern ALL_OPEN_RUNS = Pattern.compile("Seq Scan on orth_run\\b");

    /** A scan of an index of open runs, and the first column that something is looked for in, if any. */
    private static final Pattern OPEN_RUNS_BY_INDEX = Pattern.compile(
            "(?:Index (?:Only )?Scan (?:Backward )?using|Bitmap Index Scan on) (orth_run_(?!history)\\w+).*\\n"
                    + "(?:(?:\\s+(?!->)\\S.*\\n)*?\\s+Index Cond: \\(+(\\w+))?");

    /** Without a value for it the whole index is read. */
    private static final Map<String, String> LEADING_COLUMNS = Map.of(
            "orth_run_pkey", "id",
            "orth_run_job", "job_id",
            "orth_run_planned", "job_id",
            "orth_run_retry", "retry_of",
            "orth_run_child", "parent_run",
            "orth_run_to_kill", "kill_next_at",
            "orth_run_awaits_turn", "job_id");

    private static final Set<RunStatus> UNSUCCESSFUL =
            Set.of(RunStatus.FAILED, RunStatus.TIMEOUT, RunStatus.TRIGGER_FAILED);

    private static final int RUNS = 200_000;
    private static final int OPEN = 10_000;
    private static final int JOBS = 20_000;

    @RegisterExtension
    static final TestDatabase empty = new TestDatabase();

    /**
     * Open runs were inserted and deleted here, and a vacuum found none: the planner considers the table and its
     * indexes empty.
     */
    @RegisterExtension
    static final TestDatabase fewGone = new TestDatabase();

    @RegisterExtension
    static final TestDatabase manyGone = new TestDatabase();

    @RegisterExtension
    static final TestDatabase full = new TestDatabase();

    enum Rows {
        NONE,
        FEW_GONE,
        MANY_GONE,
        MANY
    }

    @BeforeAll
    static void prepare() {
        fill(JdbcClient.create(full.dataSource()));
        comeAndGo(JdbcClient.create(fewGone.dataSource()), 1_000);
        comeAndGo(JdbcClient.create(manyGone.dataSource()), 50_000);
        for (TestDatabase db : List.of(empty, fewGone, manyGone)) {
            PlannerSettings.asInThePool(JdbcClient.create(db.dataSource()));
        }
    }

    private static void comeAndGo(JdbcClient jdbc, int runs) {
        fillRuns(jdbc, "orth_run", 1, runs, "'INIT'");
        jdbc.sql("delete from orth_run").update();
        jdbc.sql("vacuum orth_run").update();
        assertThat(jdbc.sql("select reltuples from pg_class where relname = 'orth_run'")
                        .query(Float.class)
                        .single())
                .isZero();
    }

    private static void fill(JdbcClient jdbc) {
        jdbc.sql("""
                insert into orth_executor_group (name, title, token, token_hash)
                select 'g' || n, 'g', 't' || n, n::text::bytea from generate_series(1, 20) n
                """).update();
        jdbc.sql("""
                insert into orth_executor (instance_id, group_id, address, host, pid, version, status, seq, status_at,
                                           leftovers_delivered, kind)
                select 'i' || n, 1 + n % 20, 'http://10.0.0.1:' || n, 'h', 1, 'v',
                       case when n = 500 then 'DEAD' else 'ONLINE' end, 1, now(), true,
                       case when n % 100 = 7 then 'XXL_JOB' else 'ORTH' end
                  from generate_series(1, 500) n
                """).update();
        jdbc.sql("""
                insert into orth_job (name, group_id, handler, param, schedule_type, interval_ms, misfire, enabled,
                                      next_fire_at)
                select 'j' || n, 1 + n % 20, 'h', '', 'FIXED_RATE', 60000, 'FIRE_ONCE', true,
                       now() + (n - 1500) * interval '1 second'
                  from generate_series(1, :jobs) n
                """).param("jobs", JOBS).update();
        jdbc.sql("select orth_add_run_day('2026-01-01')").query(Boolean.class).single();
        fillRuns(jdbc, "orth_run_history", 1, RUNS - OPEN, "case when n % 100 = 0 then 'FAILED' else 'SUCCESS' end");
        fillRuns(jdbc, "orth_run", RUNS - OPEN + 1, RUNS, "case when n % 2 = 0 then 'PENDING' else 'INIT' end");
        jdbc.sql("""
                insert into orth_decision (job_id, reason, first_at, last_at, fires)
                select 1 + n % 20000, case when n % 2 = 0 then 'MISSED' else 'MERGED' end, now() - n * interval '1 second',
                       now() - n * interval '1 second', 1
                  from generate_series(1, :decisions) n
                """).param("decisions", RUNS).update();
        jdbc.sql("""
                insert into orth_job_child (job_id, child_id, position, pass)
                select n, 1 + n % 20000, 0, 'NONE' from generate_series(1, :jobs, 10) n
                """).param("jobs", JOBS).update();
        jdbc.sql("""
                insert into orth_route_use (job_id, address, uses, last_used_at)
                select 1 + n % 20000, 'http://10.0.0.1:' || n, 1, now() - n * interval '1 second'
                  from generate_series(1, :runs) n
                """).param("runs", RUNS).update();
        jdbc.sql("analyze").update();
    }

    private static void fillRuns(JdbcClient jdbc, String table, int from, int to, String status) {
        jdbc.sql("""
                insert into %s (id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, status,
                                seq, status_at, cause, trigger_code, handle_code, executor_id, claim_until)
                select n * 4096, 1 + n %% 20000, 'j', 1 + n %% 20, 'h', '', 'SCHEDULE',
                       timestamptz '2026-01-01' + n * interval '1 second', s.status, 1, now(), 'CREATED',
                       case when s.status = 'INIT' then 0 else 200 end,
                       case s.status when 'SUCCESS' then 200 when 'FAILED' then 500 else 0 end,
                       case when n %% 1000 = 0 then 500 else 1 + n %% 500 end,
                       now() - interval '1 minute'
                  from generate_series(:from, :to) n
                 cross join lateral (select %s as status) s
                """.formatted(table, status))
                .param("from", from)
                .param("to", to)
                .update();
    }

    @ParameterizedTest(name = "{0} ids, {1} rows")
    @CsvSource({
        "1, NONE",
        "100, NONE",
        "1000, NONE",
        "1, FEW_GONE",
        "100, FEW_GONE",
        "1000, FEW_GONE",
        "1, MANY_GONE",
        "100, MANY_GONE",
        "1000, MANY_GONE",
        "1, MANY",
        "100, MANY",
        "1000, MANY"
    })
    void noTableIsReadAsAWhole(int size, Rows rows) {
        TestDatabase db = switch (rows) {
            case NONE -> empty;
            case FEW_GONE -> fewGone;
            case MANY_GONE -> manyGone;
            case MANY -> full;
        };
        ExplainedStatements explained =
                new ExplainedStatements(new DriverManagerDataSource(db.url(), db.user(), db.password()));
        DataSource database = explained.dataSource();
        AdminFixture admin = new AdminFixture(database, Clock.systemUTC());
        explained.clear();

        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(transaction -> {
            exercise(admin, size);
            assertThat(explained.plans()).hasSizeGreaterThan(20);
            assertThat(wholeReads(explained, WHOLE_READ)).isEmpty();
            assertThat(wholeReads(explained, ALL_OPEN_RUNS)).isEmpty();
            assertThat(wholeIndexesOfOpenRuns(explained)).isEmpty();
            explained.clear();
            lookAfter(admin, size);
            look(admin, size);
            AlarmStatements.exercise(admin, ids(size), size);
            assertThat(explained.plans()).hasSizeGreaterThan(15);
            assertThat(wholeReads(explained, WHOLE_READ)).isEmpty();
            transaction.setRollbackOnly();
        });
    }

    @Test
    @Tag("must-first")
    void readsTheNewestOfEachStatusWithoutSorting() {
        ExplainedStatements explained =
                new ExplainedStatements(new DriverManagerDataSource(full.url(), full.user(), full.password()));
        AdminFixture admin = new AdminFixture(explained.dataSource(), Clock.systemUTC());
        explained.clear();

        admin.runs.list(new RunFilter(null, null, UNSUCCESSFUL, null, null, Long.MAX_VALUE, 50));

        assertThat(explained.plans()).singleElement().satisfies(plan -> {
            assertThat(wholeReads(plan, WHOLE_READ)).isEmpty();
            assertThat(plan.text())
                    .as("the newest of each status in the order of an index, and no more of them")
                    .containsPattern("(?s)Limit.*Merge Append.*(Limit.*Merge Append.*){3}")
                    .doesNotContain("Sort  (cost");
        });
    }

    private static Stream<String> wholeIndexesOfOpenRuns(ExplainedStatements explained) {
        return explained.plans().stream()
                .filter(plan -> OPEN_RUNS_BY_INDEX
                        .matcher(plan.text())
                        .results()
                        .anyMatch(scan -> !LEADING_COLUMNS.get(scan.group(1)).equals(scan.group(2))))
                .map(plan -> "%s%n%s".formatted(plan.sql(), plan.text()));
    }

    private static Stream<String> wholeReads(ExplainedStatements explained, Pattern read) {
        return explained.plans().stream().flatMap(plan -> wholeReads(plan, read));
    }

    private static Stream<String> wholeReads(ExplainedStatements.Plan plan, Pattern read) {
        return plan.text()
                .lines()
                .filter(line -> read.matcher(line).find())
                .map(line -> "%s in the plan of%n%s".formatted(line.strip(), plan.sql()));
    }

    private static List<Long> ids(int size) {
        return LongStream.rangeClosed(1, size)
                .map(n -> (RUNS - n) * 4096)
                .boxed()
                .toList();
    }

    /** Everything that happens to runs, {@code size} of them at a time; all in the caller's transaction. */
    private static void exercise(AdminFixture admin, int size) {
        List<Long> ids = ids(size);
        schedule(admin, size);
        admin.runs.intend(
                ids.stream()
                        .map(id -> new SendIntent(id, 0, 1, "http://10.0.0.1:1"))
                        .toList(),
                AdminFixture.CLAIM);
        admin.kills.openOf(7, size);
        admin.kills.claimDue(size, AdminFixture.CLAIM);
        admin.runs.shortenClaim(ids, AdminFixture.CLAIM);
        admin.runs.accept(
                ids.stream()
                        .map(id -> new Acceptance(id, new Fence(1L, 1), "accepted"))
                        .toList(),
                RunCause.ACCEPTED);
        admin.callbacks.take(
                1,
                ids.stream()
                        .map(id -> new CallbackItem(id, 0, 200, "done", "i1"))
                        .toList());
        follow(admin, ids);
        admin.runs.awaitExecutor(
                ids.stream()
                        .map(id -> new ExecutorWait(new Refusal(id, new Fence(1L, 0), "none"), true))
                        .toList(),
                AdminFixture.CLAIM,
                Duration.ofSeconds(30));
        admin.kills.request(ids, "someone", "", AdminFixture.CLAIM);
        admin.kills.endUnsent(ids);
        admin.kills.endUnknown(ids, "unknown");
        admin.runs.revokedOf(500);
        admin.losses(Clock.systemUTC()).awaited(Duration.ofMinutes(1), ids.get(0), size);
        admin.losses(Clock.systemUTC()).lose(500, ids, "lost");
        admin.kills.told(ids);
        admin.kills.awaitResult(ids, ids, Duration.ofSeconds(40));
        admin.kills.endToldInVain(ids, Duration.ofSeconds(40), "told");
        route(admin, size);
        takeTurns(admin, size);
    }

    /** Due fires and their assignment to nodes. */
    private static void takeTurns(AdminFixture admin, int size) {
        List<Integer> jobs = IntStream.rangeClosed(1, size).boxed().toList();
        for (BlockStrategy block : BlockStrategy.values()) {
            Execution execution = new Execution(block, BlockScope.CLUSTER, 1, 0, GlueType.BEAN);
            admin.runs.create(
                    jobs.stream()
                            .map(job -> new NewRun(
                                    job, "j", 1, "h", "", TriggerType.API, null, execution, null, null, Route.DEFAULT))
                            .toList(),
                    AdminFixture.CLAIM);
        }
        admin.turns.waitingJobs(0, size);
        admin.turns.decide(jobs, AdminFixture.CLAIM);
    }

    private static void lookAfter(AdminFixture admin, int size) {
        admin.runs.nextUnsent();
        admin.runs.claimUnsent(size, AdminFixture.CLAIM);
        admin.dueJobs.releaseFromEndedRuns(Instant.now(), size);
        admin.runs.loseOfGoneExecutors(Duration.ofSeconds(20), size);
        admin.foreignLosses.awaited(Duration.ofMinutes(10), ForeignLosses.Place.FIRST, size);
        admin.foreignLosses.at(new ForeignLosses.Place(500, 7), Duration.ofMinutes(10), "lost", size);
        admin.foreignLosses.ofSilent(Duration.ofMinutes(10), Duration.ofSeconds(90), "lost", size);
        admin.foreignLosses.ofAge(Duration.ofDays(7), "lost", size);
    }

    /** Statements of retries and children. */
    private static void follow(AdminFixture admin, List<Long> ids) {
        CompletionFixture completion = new CompletionFixture(admin, Clock.systemUTC());
        endAll(completion, ids, 8, RunStatus.SUCCESS, RunCause.CALLBACK);
        endAll(completion, ids, 9, RunStatus.FAILED, RunCause.LOST);
        endAll(completion, ids, 10, RunStatus.SKIPPED, RunCause.DISCARDED);
        List<DeadRef> dead =
                ids.stream().map(id -> new DeadRef(id, id, DeadKind.RUN, 7)).toList();
        completion.dead.room(List.of(7, 8, 9));
        completion.dead.retry(dead);
        completion.dead.discard(dead);
        admin.runs.retry(
                ids.stream().map(id -> new NewRetry(id, 2, Duration.ZERO)).toList());
        admin.runs.fireChildren(
                ids.stream()
                        .map(id -> new NewChild(
                                id,
                                new NewRun(
                                        8,
                                        "j",
                                        1,
                                        "h",
                                        "",
                                        TriggerType.CHILD,
                                        null,
                                        JobSpecs.PLAIN,
                                        null,
                                        null,
                                        Route.DEFAULT)))
                        .toList(),
                AdminFixture.CLAIM);
        admin.callbacks.take(
                1,
                ids.stream()
                        .map(id -> new CallbackItem(id, 0, 200, "late", "i1"))
                        .toList());
        admin.runs.attemptsOf(ids.get(0));
        admin.runs.childrenOf(ids.get(0));
    }

    private static void endAll(
            CompletionFixture completion, List<Long> ids, int sequence, RunStatus end, RunCause cause) {
        List<StateChange> ended = ids.stream()
                .map(id -> new StateChange(
                        EntityKind.RUN,
                        new MovedRow(id, sequence, null, Instant.now(), 7, 1L, null),
                        "PENDING",
                        end.name(),
                        cause.name()))
                .toList();
        completion.changes.listeners().forEach(listener -> listener.changed(ended));
    }

    /** Statements that read and store the choice of executors. */
    private static void route(AdminFixture admin, int size) {
        List<NewRun> wanted = Stream.of(RouteStrategy.ROUND, RouteStrategy.LFU, RouteStrategy.BUSYOVER)
                .flatMap(strategy -> IntStream.rangeClosed(1, size)
                        .mapToObj(n -> newRun(n, null).withRoute(Route.of(new Routing(strategy, List.of()), null))))
                .toList();
        List<Run> runs = admin.runs.create(wanted, AdminFixture.CLAIM);
        AtomicLong nanos = new AtomicLong();
        Routes routes = new Routes(
                admin.executors,
                new Reachability(admin.executors, target -> true, null, admin.systemLog),
                admin.runs,
                admin.jdbc,
                Clock.systemUTC(),
                nanos::get,
                Duration.ofSeconds(7));
        routes.prepare(runs);
        runs.forEach(run -> routes.choose(run, Set.of()));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        routes.flush();
        routes.prune(Duration.ofDays(7), size);
    }

    private static NewRun newRun(int job, Instant scheduleTime) {
        TriggerType type = scheduleTime == null ? TriggerType.API : TriggerType.SCHEDULE;
        return new NewRun(job, "j", 1, "h", "", type, scheduleTime, JobSpecs.PLAIN, null, null, Route.DEFAULT);
    }

    private static void schedule(AdminFixture admin, int size) {
        Instant now = Instant.now();
        Instant onTimeFrom = now.minusSeconds(5);
        List<DueJob> due = Stream.concat(
                        admin.dueJobs.lockOnTime(onTimeFrom, now, size).stream(),
                        admin.dueJobs.lockLate(onTimeFrom, size).stream())
                .toList();
        admin.dueJobs.advance(due.stream()
                .map(job -> DueJobs.Advance.to(job, job.dueAt().plusSeconds(60), 0))
                .toList());
        admin.ledger.record(due.stream()
                .map(job -> new LeftOut(job.id(), DecisionReason.MISSED, Stretch.of(job.dueAt())))
                .toList());
        admin.dueJobs.runsEnded(LongStream.rangeClosed(1, size).boxed().toList(), now);
        admin.ledger.list(new DecisionFilter(7, null, null, null, Long.MAX_VALUE, size));
        admin.ledger.list(new DecisionFilter(null, null, null, null, Long.MAX_VALUE, size));
        admin.ledger.prune(now.minusSeconds(1_000_000), size);
        admin.dueJobs.next();
        admin.runs.create(
                IntStream.rangeClosed(1, size)
                        .mapToObj(n -> newRun(n, Instant.now().plusSeconds(n)))
                        .toList(),
                AdminFixture.CLAIM);
    }

    /** Statements of the console: each filter of the list alone, and some combined. */
    private static void look(AdminFixture admin, int size) {
        long newest = Long.MAX_VALUE;
        Instant from = Instant.parse("2026-01-01T00:01:00Z");
        List.of(
                        new RunFilter(null, null, null, null, null, newest, size),
                        new RunFilter(7, null, null, null, null, newest, size),
                        new RunFilter(null, 7, null, null, null, newest, size),
                        new RunFilter(null, null, Set.of(RunStatus.FAILED), null, null, newest, size),
                        new RunFilter(null, null, Set.of(RunStatus.SUCCESS), null, null, newest, size),
                        new RunFilter(null, null, UNSUCCESSFUL, null, null, newest, size),
                        new RunFilter(null, 7, UNSUCCESSFUL, from, null, newest, size),
                        new RunFilter(7, null, Set.of(RunStatus.SUCCESS, RunStatus.FAILED), null, null, newest, size),
                        new RunFilter(null, null, null, from, from.plusSeconds(60), newest, size),
                        new RunFilter(7, null, Set.of(RunStatus.SUCCESS), from, null, newest, size),
                        new RunFilter(null, 7, Set.of(RunStatus.PENDING), null, null, newest, size))
                .forEach(admin.runs::list);
        admin.runs.latestOf(IntStream.rangeClosed(1, size).boxed().toList());
    }
}
