package io.orth.admin.scheduling;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.DueJob;
import io.orth.admin.job.DueJobs;
import io.orth.admin.job.DueJobs.Advance;
import io.orth.admin.job.LeftOut;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.admin.triggering.Triggers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Unit of work on the locked due jobs of one transaction: creates runs, advances jobs and logs skipped fires. */
@Component
final class DuePass {

    /** Maximum number of runs per transaction, unless a single job has more. */
    static final int MOST_RUNS = 5_000;

    /** Maximum number of jobs named in one log line. */
    private static final int MOST_NAMED = 10;

    private static final Logger log = LoggerFactory.getLogger(DuePass.class);

    private final DueJobs dueJobs;
    private final Triggers triggers;
    private final DecisionLedger ledger;
    private final SchedulingProperties properties;
    private final SystemLog systemLog;

    DuePass(
            DueJobs dueJobs,
            Triggers triggers,
            DecisionLedger ledger,
            SchedulingProperties properties,
            SystemLog systemLog) {
        this.dueJobs = dueJobs;
        this.triggers = triggers;
        this.ledger = ledger;
        this.properties = properties;
        this.systemLog = systemLog;
    }

    /** {@code problem} is null unless the schedule is invalid; then the plan is empty. */
    private record Decided(DueJob job, Schedule schedule, FirePlan plan, String problem) {}

    /** Returns the created runs, to be dispatched after the commit. */
    List<Run> fire(List<DueJob> due, Instant now) {
        List<Decided> all = due.stream().map(job -> decide(job, now)).toList();
        List<NewRun> wanted = triggers.expand(
                all.stream().flatMap(one -> wanted(one).stream()).toList());
        Set<Integer> crowdedOut = crowdedOut(wanted);
        List<Decided> decided =
                all.stream().filter(one -> !crowdedOut.contains(one.job().id())).toList();
        List<Run> created = triggers.create(
                wanted.stream().filter(run -> !crowdedOut.contains(run.jobId())).toList());
        Map<Integer, Run> awaited = decided.stream().anyMatch(DuePass::awaitsRun)
                ? created.stream().collect(Collectors.toMap(Run::jobId, Function.identity(), (first, other) -> first))
                : Map.of();
        List<Advance> advances =
                decided.stream().map(one -> advance(one, awaited, now)).toList();
        dueJobs.advance(advances);
        ledger.record(decided.stream().flatMap(DuePass::leftOut).toList());
        decided.forEach(this::openWhereStopped);
        tellStopped(decided, advances);
        return created;
    }

    /** Logs one line for all stopped jobs of the pass, because there can be many. */
    private void tellStopped(List<Decided> decided, List<Advance> advances) {
        List<String> ended = new ArrayList<>();
        boolean unreadable = false;
        for (int i = 0; i < advances.size(); i++) {
            if (advances.get(i).stopReason() != null) {
                DueJob job = decided.get(i).job();
                ended.add("%s (%d): %s"
                        .formatted(job.name(), job.id(), advances.get(i).stopReason()));
                unreadable |= decided.get(i).problem() != null;
            }
        }
        if (!ended.isEmpty()) {
            LogLevel level = unreadable ? LogLevel.ERROR : LogLevel.INFO;
            String shown = String.join("; ", ended.subList(0, Math.min(ended.size(), MOST_NAMED)));
            String more = ended.size() > MOST_NAMED ? "; and %d more".formatted(ended.size() - MOST_NAMED) : "";
            Transactions.afterCommit(() -> systemLog.publish(level, "jobs stopped: " + shown + more, null, null));
        }
    }

    /**
     * Returns the jobs whose runs no longer fit into this transaction, as broadcasts can have many runs. These jobs stay due for the next
     * transaction.
     */
    private static Set<Integer> crowdedOut(List<NewRun> wanted) {
        if (wanted.size() <= MOST_RUNS) {
            return Set.of();
        }
        int first = wanted.get(0).jobId();
        return wanted.stream()
                .skip(MOST_RUNS)
                .map(NewRun::jobId)
                .filter(job -> job != first)
                .collect(Collectors.toSet());
    }

    /** Plans the fires of a job. A job with an invalid schedule is stopped with the reason; other jobs are not affected. */
    private Decided decide(DueJob job, Instant now) {
        try {
            Schedule schedule = job.schedule();
            FirePlan.Planned planned = new FirePlan.Planned(schedule, job.misfire(), job.dueAt(), job.caughtUp());
            return new Decided(job, schedule, FirePlan.of(planned, now, properties), null);
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("jobId", job.id())
                    .setCause(e)
                    .log("stopped a job whose schedule cannot be followed");
            return new Decided(
                    job, new Schedule.None(), FirePlan.NOTHING, "its schedule cannot be followed: " + e.getMessage());
        }
    }

    private static List<NewRun> wanted(Decided decided) {
        DueJob job = decided.job();
        List<FirePlan.Fire> fires = decided.plan().fires();
        List<NewRun> wanted = new ArrayList<>();
        for (int i = 0; i < fires.size(); i++) {
            wanted.add(new NewRun(
                    job.id(),
                    job.name(),
                    job.groupId(),
                    job.handler(),
                    job.param(),
                    fires.get(i).type(),
                    fires.get(i).at(),
                    job.execution(),
                    job.sourceVersion(),
                    null,
                    Route.of(job.routing(), job.turn() + i)));
        }
        return wanted;
    }

    private static boolean awaitsRun(Decided decided) {
        return decided.schedule().awaitsRuns() && !decided.plan().fires().isEmpty();
    }

    private static Advance advance(Decided decided, Map<Integer, Run> awaited, Instant now) {
        DueJob job = decided.job();
        if (decided.problem() != null) {
            return Advance.stop(job, decided.problem());
        }
        if (awaitsRun(decided) && awaited.containsKey(job.id())) {
            return Advance.afterRun(job, awaited.get(job.id()).id())
                    .firing(decided.plan().fires().size());
        }
        Optional<Instant> next = awaitsRun(decided)
                ? decided.schedule().after(now)
                : Optional.ofNullable(decided.plan().next());
        return next.map(instant -> Advance.to(job, instant, decided.plan().caughtUp()))
                .orElseGet(() -> Advance.stop(job, decided.schedule().ending()))
                .firing(decided.plan().fires().size());
    }

    private static Stream<LeftOut> leftOut(Decided decided) {
        return decided.plan().skipped().stream()
                .map(one -> new LeftOut(decided.job().id(), one.reason(), one.stretch()));
    }

    /** Opens a range of skipped fires if the window of the job ended or its schedule is invalid. */
    private void openWhereStopped(Decided decided) {
        DueJob job = decided.job();
        if (decided.problem() != null) {
            ledger.open(job.id(), DecisionReason.UNREADABLE, job.dueAt());
        } else if (decided.plan().next() == null
                && !awaitsRun(decided)
                && decided.schedule() instanceof Schedule.Windowed windowed
                && windowed.end() != null) {
            windowed.planned()
                    .skipTo(job.dueAt(), windowed.end())
                    .ifPresent(first -> ledger.open(job.id(), DecisionReason.OUTSIDE_WINDOW, first));
        }
    }
}
