package io.orth.admin.completion;

import io.orth.admin.job.ChildJob;
import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.Execution;
import io.orth.admin.job.LeftOut;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Stretch;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.NewChild;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunListener;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.admin.triggering.routing.Broadcasts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Listener that fires the children of successful runs. A child that cannot be fired is recorded among the skipped fires. */
public final class Children implements RunListener {

    /** Lateral joins look rows up by key, whatever the number of runs. Most jobs have no children, and then nothing else is read. */
    private static final String OF_RUNS = """
            select r.id as run_id, r.handle_msg, r.schedule_time, r.trace_id, c.job_id as parent_job, c.child_id, c.pass,
                   c.param as passed, j.*
              from unnest(:runs, :jobs) as s(run_id, job_id)
             cross join lateral (select * from orth_job_child l where l.job_id = s.job_id order by l.position limit 50) c
             cross join lateral (select * from orth_run_history where id = s.run_id limit 1) r
              left join lateral (select * from orth_job where id = c.child_id limit 1) j on true
             order by r.id, c.position
            """;

    /** Skipped fires of jobs are recorded under this lock. */
    static final String LOCK_JOBS = "select id from orth_job where id = any(:ids) order by id for update";

    /** A child to fire; {@code run} is null if the child is paused or, according to {@code deleted}, deleted. */
    private record Link(int parentJob, int childJob, boolean deleted, NewChild run) {}

    private final JdbcClient jdbc;
    private final Runs runs;
    private final Broadcasts broadcasts;
    private final DecisionLedger ledger;
    private final Clock clock;
    private final Duration claim;
    private final Consumer<List<Run>> made;

    /** @param made receives committed children */
    Children(
            JdbcClient jdbc,
            Runs runs,
            Broadcasts broadcasts,
            DecisionLedger ledger,
            Clock clock,
            Duration claim,
            Consumer<List<Run>> made) {
        this.jdbc = jdbc;
        this.runs = runs;
        this.broadcasts = broadcasts;
        this.ledger = ledger;
        this.clock = clock;
        this.claim = claim;
        this.made = made;
    }

    @Override
    public void changed(List<StateChange> changes) {
        List<StateChange> successes = changes.stream()
                .filter(change -> RunStatus.SUCCESS.name().equals(change.to()))
                .toList();
        List<Run> children = successes.isEmpty() ? List.of() : fire(successes);
        if (!children.isEmpty()) {
            Transactions.afterCommit(() -> made.accept(children));
        }
    }

    private List<Run> fire(List<StateChange> successes) {
        List<Link> links = linksOf(successes);
        List<Link> left = links.stream().filter(link -> link.run() == null).toList();
        if (!left.isEmpty()) {
            leaveOut(left);
        }
        List<NewChild> wanted =
                links.stream().map(Link::run).filter(Objects::nonNull).toList();
        return runs.fireChildren(
                broadcasts.expand(wanted, NewChild::run, (child, shard) -> new NewChild(child.parent(), shard)), claim);
    }

    private List<Link> linksOf(List<StateChange> successes) {
        return jdbc.sql(OF_RUNS)
                .param(
                        "runs",
                        SqlArrays.bigints(successes, change -> change.row().id()))
                .param(
                        "jobs",
                        SqlArrays.integers(successes, change -> change.row().jobId()))
                .query((row, n) -> link(row))
                .list();
    }

    private static Link link(ResultSet row) throws SQLException {
        boolean enabled = row.getBoolean("enabled");
        boolean deleted = row.wasNull();
        return new Link(
                row.getInt("parent_job"),
                row.getInt("child_id"),
                deleted,
                enabled ? new NewChild(row.getLong("run_id"), run(row)) : null);
    }

    /** Builds the child's run from the current job definition, with the parent's schedule time and trace id. */
    private static NewRun run(ResultSet row) throws SQLException {
        return new NewRun(
                row.getInt("id"),
                row.getString("name"),
                row.getInt("group_id"),
                row.getString("handler"),
                param(row),
                TriggerType.CHILD,
                SqlRows.instant(row, "schedule_time"),
                Execution.read(row),
                SqlRows.intOrNull(row, "source_version"),
                row.getString("trace_id"),
                Route.of(Routing.read(row), null));
    }

    private static String param(ResultSet row) throws SQLException {
        return switch (ChildJob.Pass.valueOf(row.getString("pass"))) {
            case NONE -> row.getString("param");
            case FIXED -> row.getString("passed");
            case RESULT -> Objects.requireNonNullElse(row.getString("handle_msg"), "");
        };
    }

    /** Records a paused child for the child job and a deleted child for the parent job, which is the only one left. */
    private void leaveOut(List<Link> links) {
        Map<Integer, Long> paused = count(links, link -> !link.deleted(), Link::childJob);
        Map<Integer, Long> deleted = count(links, Link::deleted, Link::parentJob);
        List<Integer> jobs = new ArrayList<>(paused.keySet());
        jobs.addAll(deleted.keySet());
        jdbc.sql(LOCK_JOBS)
                .param("ids", SqlArrays.integers(jobs, id -> id))
                .query(Integer.class)
                .list();
        List<LeftOut> leftOut = new ArrayList<>();
        paused.forEach((job, fires) -> leftOut.add(leftOut(job, DecisionReason.PAUSED_CHILD, fires)));
        deleted.forEach((job, fires) -> leftOut.add(leftOut(job, DecisionReason.DELETED_CHILD, fires)));
        ledger.record(leftOut);
    }

    private static Map<Integer, Long> count(List<Link> links, Predicate<Link> which, Function<Link, Integer> job) {
        return links.stream().filter(which).collect(Collectors.groupingBy(job, TreeMap::new, Collectors.counting()));
    }

    private LeftOut leftOut(int job, DecisionReason reason, long fires) {
        Instant now = clock.instant();
        return new LeftOut(job, reason, new Stretch(now, now, (int) fires, false));
    }
}
