package io.orth.admin.job;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Job definitions, as users make and change them. */
@Component
public class Jobs {

    private final JobRepository jobs;
    private final DecisionLedger ledger;
    private final Transactions transactions;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    public Jobs(
            JdbcClient jdbc,
            DecisionLedger ledger,
            Transactions transactions,
            Clock clock,
            ApplicationEventPublisher events) {
        this.jobs = new JobRepository(jdbc);
        this.ledger = ledger;
        this.transactions = transactions;
        this.clock = clock;
        this.events = events;
    }

    public Job get(int id) {
        return jobs.find(id).orElseThrow(() -> OrthException.notFound("job", id));
    }

    public List<Job> list(JobFilter filter) {
        return jobs.list(filter);
    }

    public Job create(JobSpec spec, boolean enabled) {
        Job made = transactions.call(() -> {
            Instant now = now();
            Instant next = enabled ? firstFire(spec.schedule(), now) : null;
            Job job = get(saving(spec, () -> jobs.insert(spec, enabled, next)));
            ledger.changed(null, job, now);
            return job;
        });
        events.publishEvent(new JobChanged(made.id()));
        return made;
    }

    /** {@code version} is the one the editor saw; a job changed since is not overwritten. */
    public Job update(int id, int version, JobSpec spec, boolean enabled) {
        return change(id, (before, now) -> {
            boolean reschedule = !spec.schedule().equals(before.spec().schedule()) || !before.enabled();
            Instant next = enabled && reschedule ? firstFire(spec.schedule(), now) : null;
            return before.version() == version
                    && saving(spec, () -> jobs.update(before, spec, enabled, reschedule, next));
        });
    }

    public Job pause(int id) {
        return change(id, (before, now) -> !before.enabled() || jobs.setEnabled(before, false, null));
    }

    /** Fires next at the first instant from now on; what was missed meanwhile is not caught up. */
    public Job resume(int id) {
        return change(
                id,
                (before, now) -> before.enabled()
                        || jobs.setEnabled(before, true, firstFire(before.spec().schedule(), now)));
    }

    /** Its runs stay. */
    public void delete(int id) {
        if (!jobs.delete(id)) {
            throw OrthException.notFound("job", id);
        }
    }

    /** The row is locked, so that what is written about it is what became of it. */
    private Job change(int id, BiPredicate<Job, Instant> statement) {
        Job changed = transactions.call(() -> {
            Instant now = now();
            Job before = jobs.lock(id).orElseThrow(() -> OrthException.notFound("job", id));
            if (!statement.test(before, now)) {
                throw OrthException.of(
                        ErrorCode.CONFLICT,
                        "job %d was changed by someone else meanwhile; load it again".formatted(id));
            }
            Job after = get(id);
            ledger.changed(before, after, now);
            return after;
        });
        events.publishEvent(new JobChanged(id));
        return changed;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static Instant firstFire(Schedule schedule, Instant now) {
        if (schedule instanceof Schedule.None) {
            return null;
        }
        return schedule.after(now)
                .orElseThrow(() -> OrthException.invalid("schedule", "has no fire time in the future"));
    }

    private static <T> T saving(JobSpec spec, Supplier<T> statement) {
        try {
            return statement.get();
        } catch (DuplicateKeyException e) {
            throw OrthException.of(ErrorCode.CONFLICT, "the group has a job named '%s' already".formatted(spec.name()));
        } catch (DataIntegrityViolationException e) {
            throw OrthException.invalid("groupId", "names no executor group: " + spec.groupId());
        }
    }
}
