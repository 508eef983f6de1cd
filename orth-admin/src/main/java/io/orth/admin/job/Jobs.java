package io.orth.admin.job;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.GlueType;
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

    /** How many versions of a job's source are kept. */
    static final int KEPT_SOURCES = 30;

    private final JobRepository jobs;
    private final SourceRepository sources;
    private final Transactions transactions;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    public Jobs(JdbcClient jdbc, Transactions transactions, Clock clock, ApplicationEventPublisher events) {
        this.jobs = new JobRepository(jdbc);
        this.sources = new SourceRepository(jdbc);
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

    /** A job that names a handler. */
    public Job create(JobSpec spec, boolean enabled) {
        return create(spec, enabled, SourceEdit.NONE);
    }

    public Job create(JobSpec spec, boolean enabled, SourceEdit source) {
        Instant next = enabled ? firstFire(spec.schedule()) : null;
        int id = spec.execution().isSource()
                ? createWithSource(spec, enabled, next, source)
                : saving(spec, () -> jobs.insert(spec, null, enabled, next));
        events.publishEvent(new JobChanged(id));
        return get(id);
    }

    private int createWithSource(JobSpec spec, boolean enabled, Instant next, SourceEdit source) {
        String text = source.textFor(spec.execution().glue());
        source.requireAllowed();
        return saving(
                spec,
                () -> transactions.call(() -> {
                    int id = jobs.insert(spec, 1, enabled, next);
                    sources.insert(id, spec.execution().glue(), text, source);
                    return id;
                }));
    }

    /** A job that names a handler, or whose source stays as it is. */
    public Job update(int id, int version, JobSpec spec, boolean enabled) {
        return update(id, version, spec, enabled, SourceEdit.NONE);
    }

    /** {@code version} is the one the editor saw; a job changed since is not overwritten. */
    public Job update(int id, int version, JobSpec spec, boolean enabled, SourceEdit source) {
        Job seen = get(id);
        boolean reschedule = !spec.schedule().equals(seen.spec().schedule()) || !seen.enabled();
        Instant next = enabled && reschedule ? firstFire(spec.schedule()) : null;
        boolean saved = saving(
                spec,
                () -> transactions.call(() -> jobs.lock(id, version)
                        .map(before ->
                                jobs.update(before, spec, sourceAfter(before, spec, source), enabled, reschedule, next))
                        .orElse(false)));
        return saved ? changed(id) : refuseStale(id);
    }

    /** The version of the source that the job has after the edit, made by it where the text is another. */
    private Integer sourceAfter(Job before, JobSpec spec, SourceEdit edit) {
        GlueType type = spec.execution().glue();
        if (type == GlueType.BEAN) {
            return null;
        }
        boolean sameType = before.spec().execution().glue() == type;
        if (before.spec().groupId() != spec.groupId()) {
            edit.requireAllowed();
        }
        if (sameType && (edit.text() == null || edit.textFor(type).equals(currentText(before)))) {
            return before.sourceVersion();
        }
        String text = edit.textFor(type);
        edit.requireAllowed();
        return addSource(before.id(), type, text, edit);
    }

    private String currentText(Job job) {
        return sources.find(job.id(), job.sourceVersion()).map(JobSource::text).orElse(null);
    }

    private int addSource(int id, GlueType type, String text, SourceEdit edit) {
        int version = sources.insert(id, type, text, edit);
        sources.prune(id, KEPT_SOURCES);
        return version;
    }

    /** Makes what an earlier version of the source says the newest version; history only grows. */
    public Job restoreSource(int id, int sourceVersion, String author) {
        Job seen = get(id);
        if (!seen.spec().execution().isSource()) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "job %d names a handler; change it to run source first".formatted(id));
        }
        boolean saved = transactions.call(() -> jobs.lock(id, seen.version())
                .map(before -> restoreSource(before, sourceVersion, author))
                .orElse(false));
        return saved ? changed(id) : refuseStale(id);
    }

    private boolean restoreSource(Job before, int sourceVersion, String author) {
        JobSource old = sources.find(before.id(), sourceVersion)
                .orElseThrow(() ->
                        OrthException.notFound("source version", "%d of job %d".formatted(sourceVersion, before.id())));
        SourceEdit edit = new SourceEdit(old.text(), "version %d again".formatted(sourceVersion), author, true);
        GlueType type = old.about().type();
        return jobs.setSource(before, type, addSource(before.id(), type, old.text(), edit));
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
