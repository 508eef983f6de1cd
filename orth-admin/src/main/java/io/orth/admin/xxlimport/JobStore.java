package io.orth.admin.xxlimport;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobPut;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.Jobs;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores jobs, each with where it comes from in a transaction of its own. */
@Component
final class JobStore {

    private final Jobs jobs;
    private final ImportedJobRepository imported;
    private final Transactions transactions;

    JobStore(Jobs jobs, JdbcClient jdbc, Transactions transactions) {
        this.jobs = jobs;
        this.imported = new ImportedJobRepository(jdbc);
        this.transactions = transactions;
    }

    /** Jobs imported from there before, by their ids there. */
    Map<Integer, ImportedJob> importedFrom(String installation) {
        return imported.of(installation);
    }

    /** The job of that group and name, if there is one. Fails where it could not be made with that source. */
    Optional<Job> find(JobSpec spec, SourceEdit source) {
        JobPut plan = jobs.plan(spec, false, source);
        return Optional.ofNullable(plan.job());
    }

    /** Whether the job's source is this text; true for a job that names a handler. */
    boolean hasSource(Job job, SourceEdit source) {
        return jobs.plan(job.spec(), job.enabled(), source).outcome() == JobPut.Outcome.UNCHANGED;
    }

    /** {@code versions} of its source, oldest first; empty where it names a handler. All of it or nothing. */
    Job create(JobSpec spec, boolean enabled, List<SourceEdit> versions, JobSourceLink from) {
        return transactions.call(() -> {
            Job job = create(spec, enabled, versions);
            imported.insert(from, job.id());
            return job;
        });
    }

    /** Notes where a job comes from that is here already. */
    void link(Job job, JobSourceLink from) {
        transactions.run(() -> imported.insert(from, job.id()));
    }

    private Job create(JobSpec spec, boolean enabled, List<SourceEdit> versions) {
        if (versions.isEmpty()) {
            return jobs.create(spec, enabled);
        }
        Job job = jobs.create(spec, enabled, versions.get(0));
        for (SourceEdit next : versions.subList(1, versions.size())) {
            job = jobs.update(job.id(), job.version(), spec, enabled, next);
        }
        return job;
    }
}
