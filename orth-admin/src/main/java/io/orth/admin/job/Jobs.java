package io.orth.admin.job;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
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
    private final Clock clock;
    private final ApplicationEventPublisher events;

    public Jobs(JdbcClient jdbc, Clock clock, ApplicationEventPublisher events) {
        this.jobs = new JobRepository(jdbc);
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
        Instant next = enabled ? firstFire(spec.schedule()) : null;
        int id = saving(spec, () -> jobs.insert(spec, enabled, next));
        events.publishEvent(new JobChanged(id));
        return get(id);
    }

    /** {@code version} is the one the editor saw; a job changed since is not overwritten. */
    public Job update(int id, int version, JobSpec spec, boolean enabled) {
        Job before = get(id);
        boolean reschedule = !spec.schedule().equals(before.spec().schedule()) || !before.enabled();
        Instant next = enabled && reschedule ? firstFire(spec.schedule()) : null;
        boolean saved =
                before.version() == version && saving(spec, () -> jobs.update(before, spec, enabled, reschedule, next));
        return saved ? changed(id) : refuseStale(id);
    }

    public Job pause(int id) {
        Job before = get(id);
        return !before.enabled() || jobs.setEnabled(before, false, null) ? changed(id) : refuseStale(id);
    }

    /** Fires next at the first instant from now on; what was missed meanwhile is not caught up. */
    public Job resume(int id) {
        Job before = get(id);
        if (before.enabled()) {
            return before;
        }
        return jobs.setEnabled(before, true, firstFire(before.spec().schedule())) ? changed(id) : refuseStale(id);
    }

    /** Its runs stay. */
    public void delete(int id) {
        if (!jobs.delete(id)) {
            throw OrthException.notFound("job", id);
        }
    }

    private Job changed(int id) {
        events.publishEvent(new JobChanged(id));
        return get(id);
    }

    private static Job refuseStale(int id) {
        throw OrthException.of(
                ErrorCode.CONFLICT, "job %d was changed by someone else meanwhile; load it again".formatted(id));
    }

    private Instant firstFire(Schedule schedule) {
        if (schedule instanceof Schedule.None) {
            return null;
        }
        Optional<Instant> first = schedule.after(clock.instant().truncatedTo(ChronoUnit.MILLIS));
        return first.orElseThrow(() -> OrthException.invalid("schedule", "has no fire time in the future"));
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
