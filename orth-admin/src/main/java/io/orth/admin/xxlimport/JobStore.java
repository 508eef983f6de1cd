package io.orth.admin.xxlimport;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobPut;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.Jobs;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.Transactions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Storage of imported jobs. Each job is stored with its origin in a transaction of its own. */
@Component
final class JobStore {

    private static final String IMPORTED = """
            select i.source_id, i.job_id, i.source_row::text as source_row, j.name, j.enabled, g.name as group_name
              from orth_imported_job i
              join orth_job j on j.id = i.job_id
              join orth_executor_group g on g.id = j.group_id
             where i.installation = :installation
            """;

    private static final String LINK = """
            insert into orth_imported_job (installation, source_id, job_id, source_row)
            values (:installation, :source, :job, :row::jsonb)
            """;

    private final Jobs jobs;
    private final JdbcClient jdbc;
    private final Transactions transactions;

    JobStore(Jobs jobs, JdbcClient jdbc, Transactions transactions) {
        this.jobs = jobs;
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Returns the existing jobs that were imported from this installation, by their id in XXL-JOB. */
    Map<Integer, ImportedJob> importedFrom(String installation) {
        Map<Integer, ImportedJob> found = new HashMap<>();
        jdbc.sql(IMPORTED).param("installation", installation).query(row -> {
            ImportedJob job = new ImportedJob(
                    row.getInt("job_id"),
                    row.getString("group_name"),
                    row.getString("name"),
                    row.getBoolean("enabled"),
                    JsonText.texts(row.getString("source_row")));
            found.put(row.getInt("source_id"), job);
        });
        return found;
    }

    /** Returns the job with that group and name, if it exists. Throws if it could not be created with that source. */
    Optional<Job> find(JobSpec spec, SourceEdit source) {
        JobPut plan = jobs.plan(spec, false, source);
        return Optional.ofNullable(plan.job());
    }

    /** Returns whether the job's source is this text; true for a job that names a handler. */
    boolean hasSource(Job job, SourceEdit source) {
        return jobs.plan(job.spec(), job.enabled(), source).outcome() == JobPut.Outcome.UNCHANGED;
    }

    /** Creates a job in one transaction. {@code versions} of its source are ordered oldest first; empty if it names a handler. */
    Job create(JobSpec spec, boolean enabled, List<SourceEdit> versions, JobSourceLink from) {
        return transactions.call(() -> {
            Job job = create(spec, enabled, versions);
            link(job, from);
            return job;
        });
    }

    /** Records the origin of a job. */
    void link(Job job, JobSourceLink from) {
        jdbc.sql(LINK)
                .params(Map.of("installation", from.installation(), "source", from.sourceId(), "job", job.id()))
                .param("row", JsonText.of(from.row()))
                .update();
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
