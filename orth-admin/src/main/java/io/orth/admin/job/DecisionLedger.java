package io.orth.admin.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Why planned fires did not become runs: one entry per stretch, however many fires it has. Written in the transaction of the
 * decision, with the job's row locked; callers own it.
 */
@Component
public class DecisionLedger {

    /** Of a cron with more fires than this in a stretch it is only said that there were more. */
    public static final int COUNTED_AT_MOST = 1_000;

    /** A stretch that begins within this time of the one before is part of it. */
    private static final Duration APART = Duration.ofMinutes(10);

    private final DecisionRepository decisions;

    public DecisionLedger(JdbcClient jdbc) {
        this.decisions = new DecisionRepository(jdbc);
    }

    /** {@code leftOut} has each job and reason at most once. */
    public void record(List<LeftOut> leftOut) {
        if (!leftOut.isEmpty()) {
            decisions.record(leftOut, APART);
        }
    }

    /** From {@code first} on nothing fires, until the job is changed. */
    public void open(int jobId, DecisionReason reason, Instant first) {
        decisions.open(jobId, reason, first);
    }

    public List<Decision> list(DecisionFilter filter) {
        return decisions.list(filter);
    }

    /** Deletes entries of stretches that ended before {@code instant}; returns how many. */
    public int prune(Instant instant, int limit) {
        return decisions.prune(instant, limit);
    }

    /** A job was made ({@code before} is null) or changed by someone. */
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
        decisions.findOpen(before.id()).ifPresent(open -> close(before, open, now));
        boolean dueByNow = before.nextFireAt() != null && !before.nextFireAt().isAfter(now);
        if (dueByNow && !sameSchedule(before, after) && !isUnreadable(before)) {
            before.spec()
                    .schedule()
                    .stretch(before.nextFireAt(), now, COUNTED_AT_MOST)
                    .ifPresent(missed -> record(List.of(new LeftOut(before.id(), DecisionReason.RESCHEDULED, missed))));
        }
    }

    private void close(Job job, DecisionRepository.Open open, Instant now) {
        Schedule schedule = job.spec().schedule();
        Optional<Stretch> stretch = Optional.empty();
        if (isUnreadable(job)) {
            stretch = Optional.of(Stretch.uncounted(open.first(), now))
                    .filter(one -> !open.first().isAfter(now));
        } else {
            Schedule planned = open.reason() == DecisionReason.OUTSIDE_WINDOW ? schedule.unbounded() : schedule;
            stretch = planned.stretch(open.first(), now, COUNTED_AT_MOST);
        }
        stretch.ifPresentOrElse(one -> decisions.close(job.id(), one), () -> decisions.dropOpen(job.id()));
    }

    /** A cron names times before the start of its window too; other schedules begin with it. */
    private void leaveOutBeforeStart(Job job, Instant now) {
        if (job.spec().schedule() instanceof Schedule.Windowed windowed
                && windowed.planned() instanceof Schedule.Cron cron
                && windowed.start() != null
                && windowed.start().isAfter(now)) {
            List<LeftOut> before = new ArrayList<>();
            cron.after(now)
                    .flatMap(first -> cron.stretch(first, windowed.start().minusMillis(1), COUNTED_AT_MOST))
                    .ifPresent(stretch -> before.add(new LeftOut(job.id(), DecisionReason.OUTSIDE_WINDOW, stretch)));
            record(before);
        }
    }

    /** The first instant at which the paused job would have fired. */
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
