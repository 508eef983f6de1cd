package io.orth.admin.xxlimport;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobPut;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.Jobs;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.Transactions;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Stores jobs, stopped, each in a transaction of its own. */
@Component
final class JobStore {

    private final Jobs jobs;
    private final Transactions transactions;

    JobStore(Jobs jobs, Transactions transactions) {
        this.jobs = jobs;
        this.transactions = transactions;
    }

    /** The job of that group and name, if there is one. Fails where it could not be made with that source. */
    Optional<Job> find(JobSpec spec, SourceEdit source) {
        JobPut plan = jobs.plan(spec, false, source);
        return Optional.ofNullable(plan.job());
    }

    /** {@code versions} of its source, oldest first; empty where it names a handler. All of it or nothing. */
    Job create(JobSpec spec, List<SourceEdit> versions) {
        if (versions.isEmpty()) {
            return jobs.create(spec, false);
        }
        return transactions.call(() -> {
            Job job = jobs.create(spec, false, versions.get(0));
            for (SourceEdit next : versions.subList(1, versions.size())) {
                job = jobs.update(job.id(), job.version(), spec, false, next);
            }
            return job;
        });
    }
}
