package io.orth.admin.job;

import io.orth.admin.job.JobMove.Reason;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.GlueType;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Creates, changes and deletes job definitions. */
@Component
public class Jobs {

    /** Number of versions of a job's source that are kept. */
    static final int KEPT_SOURCES = 30;

    private final JobRepository jobs;
    private final JobLifecycle lifecycle;
    private final DecisionLedger ledger;
    private final JobSources sources;
    private final JobChildren children;
    private final Transactions transactions;
    private final Clock clock;
    private final ApplicationEventPublisher events;

    public Jobs(
            JdbcClient jdbc,
            StateChanges changes,
            DecisionLedger ledger,
            Transactions transactions,
            Clock clock,
            ApplicationEventPublisher events) {
        this.jobs = new JobRepository(jdbc);
        this.lifecycle = new JobLifecycle(jdbc, changes);
        this.sources = new JobSources(jdbc);
        this.children = new JobChildren(jdbc);
        this.ledger = ledger;
        this.transactions = transactions;
        this.clock = clock;
        this.events = events;
    }

    public Job get(int id) {
        return jobs.find(id).orElseThrow(() -> OrthException.notFound("job", id));
    }

    public Optional<Job> find(int id) {
        return jobs.find(id);
    }

    public Optional<Job> findByName(int groupId, String name) {
        return jobs.findByName(groupId, name);
    }

    public List<Job> list(JobFilter filter) {
        return jobs.list(filter);
    }

    /** Creates a job that names a handler. */
    public Job create(JobSpec spec, boolean enabled) {
        return create(spec, enabled, SourceEdit.NONE);
    }

    public Job create(JobSpec spec, boolean enabled, SourceEdit source) {
        Job made = transactions.call(() -> {
            Instant now = now();
            Instant next = enabled ? firstFire(spec.schedule(), now) : null;
            int id = spec.execution().isSource()
                    ? insertWithSource(spec, enabled, next, source)
                    : saving(spec, () -> jobs.insert(spec, null, enabled, next));
            children.save(id, spec.after().children());
            lifecycle.created(id, enabled);
            Job job = get(id);
            ledger.changed(null, job, now);
            return job;
        });
        events.publishEvent(new JobChanged(made.id()));
        return made;
    }

    private int insertWithSource(JobSpec spec, boolean enabled, Instant next, SourceEdit source) {
        String text = source.textFor(spec.execution().glue());
        source.requireAllowed();
        int id = saving(spec, () -> jobs.insert(spec, 1, enabled, next));
        sources.insert(id, spec.execution().glue(), text, source);
        return id;
    }

    /** Creates or updates the job with this group and name. An unchanged definition changes nothing. */
    public JobPut put(JobSpec spec, boolean enabled, SourceEdit source) {
        JobPut plan = plan(spec, enabled, source);
        return switch (plan.outcome()) {
            case CREATED -> new JobPut(plan.outcome(), create(spec, enabled, source));
            case UPDATED ->
                new JobPut(plan.outcome(), update(plan.job().id(), plan.job().version(), spec, enabled, source));
            case UNCHANGED -> plan;
        };
    }

    /** Returns what {@link #put} would do; throws if it would throw. */
    public JobPut plan(JobSpec spec, boolean enabled, SourceEdit source) {
        Job before = jobs.findByName(spec.groupId(), spec.name()).orElse(null);
        boolean newSource = changesSource(before, spec, source);
        if (newSource) {
            source.textFor(spec.execution().glue());
            source.requireAllowed();
        }
        if (before == null) {
            return new JobPut(JobPut.Outcome.CREATED, null);
        }
        boolean same = before.spec().equals(spec) && before.enabled() == enabled && !newSource;
        return new JobPut(same ? JobPut.Outcome.UNCHANGED : JobPut.Outcome.UPDATED, before);
    }

    private boolean changesSource(Job before, JobSpec spec, SourceEdit edit) {
        GlueType type = spec.execution().glue();
        if (type == GlueType.BEAN) {
            return false;
        }
        boolean sameType = before != null && before.spec().execution().glue() == type;
        return !(sameType && (edit.text() == null || edit.textFor(type).equals(currentText(before))));
    }

    /** Updates a job that names a handler or whose source does not change. */
    public Job update(int id, int version, JobSpec spec, boolean enabled) {
        return update(id, version, spec, enabled, SourceEdit.NONE);
    }

    /** Updates a job. Throws a conflict if the current version is not {@code version}, which the editor has loaded. */
    public Job update(int id, int version, JobSpec spec, boolean enabled, SourceEdit source) {
        return change(id, (before, now) -> {
            boolean reschedule = !spec.schedule().equals(before.spec().schedule()) || !before.enabled();
            Instant next = enabled && reschedule ? firstFire(spec.schedule(), now) : null;
            if (before.version() != version) {
                return false;
            }
            if (!spec.after().children().equals(before.spec().after().children())) {
                children.save(id, spec.after().children());
            }
            lifecycle.set(before, enabled, Reason.EDITED);
            return saving(
                    spec,
                    () -> jobs.update(before, spec, sourceAfter(before, spec, source), enabled, reschedule, next));
        });
    }

    /** Returns the version of the source after the edit; inserts a new version if the text differs. */
    private Integer sourceAfter(Job before, JobSpec spec, SourceEdit edit) {
        GlueType type = spec.execution().glue();
        if (type == GlueType.BEAN) {
            return null;
        }
        if (before.spec().groupId() != spec.groupId()) {
            edit.requireAllowed();
        }
        if (!changesSource(before, spec, edit)) {
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

    /** Stores the text of an earlier version as the newest version; history is never rewritten. */
    public Job restoreSource(int id, int sourceVersion, String author) {
        return change(id, (before, now) -> restoreSource(before, sourceVersion, author));
    }

    private boolean restoreSource(Job before, int sourceVersion, String author) {
        if (!before.spec().execution().isSource()) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "job %d names a handler; change it to run source first".formatted(before.id()));
        }
        JobSource old = sources.find(before.id(), sourceVersion)
                .orElseThrow(() ->
                        OrthException.notFound("source version", "%d of job %d".formatted(sourceVersion, before.id())));
        SourceEdit edit = new SourceEdit(old.text(), "version %d again".formatted(sourceVersion), author, true);
        GlueType type = old.about().type();
        return jobs.setSource(before, type, addSource(before.id(), type, old.text(), edit));
    }

    public Job pause(int id) {
        return change(id, (before, now) -> !before.enabled() || setEnabled(before, false, null, Reason.PAUSED));
    }

    /** Enables the job. It fires at its next fire time from now on; missed fires are not caught up. */
    public Job resume(int id) {
        return change(
                id,
                (before, now) -> before.enabled()
                        || setEnabled(before, true, firstFire(before.spec().schedule(), now), Reason.RESUMED));
    }

    private boolean setEnabled(Job before, boolean enabled, Instant next, Reason reason) {
        lifecycle.set(before, enabled, reason);
        return jobs.setNext(before, next);
    }

    /** Deletes the job; its runs remain. */
    public void delete(int id) {
        transactions.run(() -> lifecycle.delete(jobs.lock(id).orElseThrow(() -> OrthException.notFound("job", id))));
    }

    /** Locks the job's row, so that the recorded change matches the stored one. */
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
