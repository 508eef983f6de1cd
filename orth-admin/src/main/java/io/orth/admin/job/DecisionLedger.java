package io.orth.admin.job;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Log of skipped fires with their reasons: one entry per range of fire times. Entries are written in the transaction that skips the fires,
 * with the job's row locked. Callers own the transaction.
 */
@Component
public class DecisionLedger {

    /** Maximum number of fires of a cron schedule that are counted per range; beyond it, only {@code more} is set. */
    public static final int COUNTED_AT_MOST = 1_000;

    /** A range that starts within this time after the previous one extends it. */
    private static final Duration APART = Duration.ofMinutes(10);

    /** Extends the newest range of the job and reason if the new one follows closely; otherwise inserts a new entry. */
    private static final String RECORD = """
            with wanted as (
                select *
                  from unnest(:jobs, :reasons, :firsts, :lasts, :fires, :mores)
                    as w(job_id, reason, first_at, last_at, fires, more)
            ), newest as (
                select w.*, d.id, d.last_at as reached
                  from wanted w
                  left join lateral (select id, last_at
                                       from orth_decision
                                      where job_id = w.job_id
                                        and reason = w.reason
                                      order by id desc
                                      limit 1) d on true
            ), grown as (
                update orth_decision d
                   set first_at = least(d.first_at, n.first_at), last_at = greatest(d.last_at, n.last_at), fires = d.fires + n.fires, more = d.more or n.more
                  from newest n
                 where d.id = n.id
                   and n.reached >= n.first_at - make_interval(secs => :apart)
                returning d.id
            )
            insert into orth_decision (job_id, reason, first_at, last_at, fires, more)
            select n.job_id, n.reason, n.first_at, n.last_at, n.fires, n.more
              from newest n
             where n.id is null
                or n.id not in (select id from grown)
            """;

    private static final String OPEN = """
            insert into orth_decision (job_id, reason, first_at)
            values (:job, :reason, :first)
            on conflict (job_id) where last_at is null do nothing
            """;

    private static final String CLOSE = """
            update orth_decision
               set last_at = :last, fires = :fires, more = :more
             where job_id = :job
               and last_at is null
            """;

    private static final String LIST = """
            select d.id, d.job_id, j.name as job_name, d.reason, d.first_at as first, d.last_at as last, d.fires,
                   d.more, d.decided_at
              from orth_decision d
              join orth_job j on j.id = d.job_id
             where %s
             order by d.id desc
             limit :limit
            """;

    private static final String PRUNE = """
            delete from orth_decision
             where id = any(array(select id
                                    from orth_decision
                                   where last_at < :before
                                   order by last_at
                                   limit :limit
                                     for update skip locked))
            """;

    /** A range that is still open. */
    private record Open(DecisionReason reason, Instant first) {}

    private final JdbcClient jdbc;

    public DecisionLedger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Records skipped fires. {@code leftOut} contains each combination of job and reason at most once. */
    public void record(List<LeftOut> leftOut) {
        if (leftOut.isEmpty()) {
            return;
        }
        jdbc.sql(RECORD)
                .param("jobs", SqlArrays.integers(leftOut, LeftOut::jobId))
                .param("reasons", SqlArrays.texts(leftOut, one -> one.reason().name()))
                .param(
                        "firsts",
                        SqlArrays.instants(leftOut, one -> one.stretch().first()))
                .param("lasts", SqlArrays.instants(leftOut, one -> one.stretch().last()))
                .param("fires", SqlArrays.integers(leftOut, one -> one.stretch().fires()))
                .param("mores", SqlArrays.booleans(leftOut, one -> one.stretch().more()))
                .param("apart", (double) APART.toSeconds())
                .update();
    }

    /** Opens a range: from {@code first} on nothing fires until the job is changed. */
    public void open(int jobId, DecisionReason reason, Instant first) {
        jdbc.sql(OPEN)
                .params(Map.of("job", jobId, "reason", reason.name(), "first", SqlRows.timestamp(first)))
                .update();
    }

    /** Lists entries. The statement contains only the given conditions, so that each combination gets its own plan. */
    public List<Decision> list(DecisionFilter filter) {
        Map<String, Object> params = new HashMap<>();
        List<String> conditions = new ArrayList<>(List.of("d.id < :before"));
        params.put("before", filter.before());
        params.put("limit", filter.limit());
        if (filter.jobId() != null) {
            conditions.add("d.job_id = :job");
            params.put("job", filter.jobId());
        }
        if (filter.reason() != null) {
            conditions.add("d.reason = :reason");
            params.put("reason", filter.reason().name());
        }
        if (filter.from() != null) {
            conditions.add("(d.last_at >= :from or d.last_at is null)");
            params.put("from", SqlRows.timestamp(filter.from()));
        }
        if (filter.to() != null) {
            conditions.add("d.first_at <= :to");
            params.put("to", SqlRows.timestamp(filter.to()));
        }
        return jdbc.sql(LIST.formatted(String.join(" and ", conditions)))
                .params(params)
                .query(Decision.class)
                .list();
    }

    /** Deletes entries of ranges that ended before {@code instant}. Returns the number of deleted entries. */
    public int prune(Instant instant, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("before", SqlRows.timestamp(instant), "limit", limit))
                .update();
    }

    /** Updates the entries of a job that was created ({@code before} is null) or changed. */
    void changed(Job before, Job after, Instant now) {
        if (before != null && before.enabled() == after.enabled() && sameSchedule(before, after)) {
            return;
        }
        if (before != null) {
            settle(before, after, now);
        }
        if (after.enabled()) {
            leaveOutBeforeStart(after, now);
        } else {
            firstOf(before, after, now).ifPresent(first -> open(after.id(), DecisionReason.PAUSED, first));
        }
    }

    private static boolean sameSchedule(Job before, Job after) {
        return before.spec().schedule().equals(after.spec().schedule());
    }

    private void settle(Job before, Job after, Instant now) {
        jdbc.sql("select reason, first_at as first from orth_decision where job_id = :job and last_at is null")
                .param("job", before.id())
                .query(Open.class)
                .optional()
                .ifPresent(open -> close(before, open, now));
        boolean dueByNow = before.nextFireAt() != null && !before.nextFireAt().isAfter(now);
        if (dueByNow && !sameSchedule(before, after) && !isUnreadable(before)) {
            before.spec()
                    .schedule()
                    .stretch(before.nextFireAt(), now, COUNTED_AT_MOST)
                    .ifPresent(missed -> record(List.of(new LeftOut(before.id(), DecisionReason.RESCHEDULED, missed))));
        }
    }

    private void close(Job job, Open open, Instant now) {
        Schedule schedule = job.spec().schedule();
        Optional<Stretch> stretch = Optional.empty();
        if (isUnreadable(job)) {
            stretch = Optional.of(Stretch.uncounted(open.first(), now))
                    .filter(one -> !open.first().isAfter(now));
        } else {
            Schedule planned = open.reason() == DecisionReason.OUTSIDE_WINDOW ? schedule.unbounded() : schedule;
            stretch = planned.stretch(open.first(), now, COUNTED_AT_MOST);
        }
        stretch.ifPresentOrElse(one -> close(job.id(), one), () -> dropOpen(job.id()));
    }

    private void close(int jobId, Stretch stretch) {
        jdbc.sql(CLOSE)
                .params(Map.of("job", jobId, "last", SqlRows.timestamp(stretch.last()), "more", stretch.more()))
                .param("fires", stretch.fires(), Types.INTEGER)
                .update();
    }

    private void dropOpen(int jobId) {
        jdbc.sql("delete from orth_decision where job_id = :job and last_at is null")
                .param("job", jobId)
                .update();
    }

    /** A cron schedule also has fire times before the start of its window; other schedules start with the window. */
    private void leaveOutBeforeStart(Job job, Instant now) {
        if (job.spec().schedule() instanceof Schedule.Windowed windowed
                && windowed.planned() instanceof Schedule.Cron cron
                && windowed.start() != null
                && windowed.start().isAfter(now)) {
            cron.after(now)
                    .flatMap(first -> cron.stretch(first, windowed.start().minusMillis(1), COUNTED_AT_MOST))
                    .ifPresent(
                            stretch -> record(List.of(new LeftOut(job.id(), DecisionReason.OUTSIDE_WINDOW, stretch))));
        }
    }

    /** Returns the first fire time that the paused job skips. */
    private static Optional<Instant> firstOf(Job before, Job after, Instant now) {
        if (before != null && before.nextFireAt() != null && sameSchedule(before, after)) {
            return Optional.of(before.nextFireAt());
        }
        return isUnreadable(after) ? Optional.empty() : after.spec().schedule().after(now);
    }

    private static boolean isUnreadable(Job job) {
        return job.spec().schedule() instanceof Schedule.Unreadable;
    }
}
