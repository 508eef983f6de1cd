package io.orth.admin.scheduling;

import io.orth.admin.job.Job;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.TriggerType;
import io.orth.admin.triggering.Triggers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Creates runs for past fire times that have none. */
@Component
public final class Backfills {

    private static final String RUNS_AT = """
            select schedule_time, id
              from orth_run_all
             where job_id = :job
               and schedule_time = any(:times)
               and shard_index = 0
               and trigger_type in ('SCHEDULE', 'MISFIRE', 'BACKFILL')
            """;

    /** Every transaction that creates runs of a job for its fire times holds the job's row, so no fire time gets two runs. */
    private static final String LOCK_JOB = "select id from orth_job where id = :job for no key update";

    /**
     * One fire time of the range.
     *
     * @param runId its run, or the first run of a broadcast; null if there is none
     * @param isNew whether this backfill created the run
     */
    public record Slot(Instant at, Long runId, boolean isNew) {}

    private final JdbcClient jdbc;
    private final Triggers triggers;
    private final Transactions transactions;
    private final Clock clock;
    private final SchedulingProperties.Backfill limits;

    Backfills(
            JdbcClient jdbc,
            Triggers triggers,
            Transactions transactions,
            Clock clock,
            SchedulingProperties properties) {
        this.jdbc = jdbc;
        this.triggers = triggers;
        this.transactions = transactions;
        this.clock = clock;
        this.limits = properties.backfill();
    }

    /** Returns the fire times from {@code from} to {@code to}, both inclusive, and their runs. Changes nothing. */
    public List<Slot> preview(Job job, Instant from, Instant to) {
        return slots(job.id(), planned(job, from, to), Set.of());
    }

    /** Creates and dispatches a run for each fire time without one. Returns all fire times of the range. */
    public List<Slot> fire(Job job, Instant from, Instant to, String traceId) {
        List<Instant> planned = planned(job, from, to);
        List<NewRun> wanted = planned.stream()
                .map(at -> NewRun.of(job, job.spec().param(), TriggerType.BACKFILL, at, traceId))
                .toList();
        List<Run> created = transactions.call(() -> {
            jdbc.sql(LOCK_JOB).param("job", job.id()).query(Integer.class).optional();
            return triggers.create(wanted);
        });
        triggers.send(created);
        return slots(job.id(), planned, created.stream().map(Run::id).collect(Collectors.toSet()));
    }

    private List<Slot> slots(int jobId, List<Instant> planned, Set<Long> created) {
        Map<Instant, Long> byTime = new HashMap<>();
        jdbc.sql(RUNS_AT)
                .param("job", jobId)
                .param("times", SqlArrays.instants(planned, at -> at))
                .query(row -> {
                    byTime.put(SqlRows.instant(row, "schedule_time"), row.getLong("id"));
                });
        return planned.stream().map(at -> slot(at, byTime.get(at), created)).toList();
    }

    private static Slot slot(Instant at, Long runId, Set<Long> created) {
        return new Slot(at, runId, runId != null && created.contains(runId));
    }

    private List<Instant> planned(Job job, Instant from, Instant to) {
        Schedule schedule = anchored(job, from);
        checkRange(from, to);
        List<Instant> planned = new ArrayList<>();
        Optional<Instant> next = schedule.after(from.minusMillis(1));
        while (next.isPresent() && !next.get().isAfter(to)) {
            if (planned.size() == limits.mostRuns()) {
                throw OrthException.invalid(
                        "to",
                        "is too late: there are more than %d fire times from %s on; backfill them in parts"
                                .formatted(limits.mostRuns(), from));
            }
            planned.add(next.get());
            next = schedule.after(next.get());
        }
        return planned;
    }

    private void checkRange(Instant from, Instant to) {
        if (to.isBefore(from)) {
            throw OrthException.invalid("to", "must not be before from");
        }
        if (to.isAfter(clock.instant())) {
            throw OrthException.invalid("to", "must not be in the future: what is still to come fires by itself");
        }
        if (Duration.between(from, to).compareTo(limits.longest()) > 0) {
            throw OrthException.invalid("to", "must be within %s of from".formatted(inWords(limits.longest())));
        }
    }

    private static String inWords(Duration duration) {
        return duration.toDays() > 0 && duration.equals(Duration.ofDays(duration.toDays()))
                ? duration.toDays() + " days"
                : duration.toString();
    }

    /** Cron expressions define their fire times. A fixed rate counts from its start or, without one, is aligned with its next fire time. */
    private static Schedule anchored(Job job, Instant from) {
        Schedule schedule = job.spec().schedule();
        Schedule planned = schedule.unbounded();
        if (planned instanceof Schedule.Cron) {
            return schedule;
        }
        if (planned instanceof Schedule.FixedRate rate) {
            return hasStart(schedule) ? schedule : inStep(rate, schedule, job.nextFireAt(), from);
        }
        throw OrthException.invalid(
                "schedule", "of the job has no fire times to backfill: only cron and fixed rate have them");
    }

    private static boolean hasStart(Schedule schedule) {
        return schedule instanceof Schedule.Windowed windowed && windowed.start() != null;
    }

    private static Schedule inStep(Schedule.FixedRate rate, Schedule schedule, Instant next, Instant from) {
        Instant end = schedule instanceof Schedule.Windowed windowed ? windowed.end() : null;
        Instant start = from;
        if (next != null && next.isAfter(from)) {
            long whole = Duration.between(from, next).dividedBy(rate.interval());
            start = next.minus(rate.interval().multipliedBy(whole));
        }
        return end != null && !end.isAfter(start) ? new Schedule.None() : rate.within(start, end);
    }
}
