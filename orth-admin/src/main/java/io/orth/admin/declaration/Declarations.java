package io.orth.admin.declaration;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.Jobs;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Queries for job declarations, and the action that makes a job follow its declaration again. */
@Component
public class Declarations {

    private final DeclarationRepository declarations;
    private final Jobs jobs;

    public Declarations(JdbcClient jdbc, Jobs jobs) {
        this.declarations = new DeclarationRepository(jdbc);
        this.jobs = jobs;
    }

    /** Returns the declaration of this job, if there is one. */
    public Optional<JobDeclaration> of(Job job) {
        return Optional.ofNullable(declarations.ofJobs(List.of(job.id())).get(job.id()));
    }

    /** Returns the states of the declared jobs among these, by job id. */
    public Map<Integer, DeclarationState> statesOf(List<Job> found) {
        if (found.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Job> byId = found.stream().collect(Collectors.toMap(Job::id, Function.identity()));
        return declarations.ofJobs(byId.keySet()).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> stateOf(entry.getValue(), byId.get(entry.getKey()))));
    }

    /** @param job the job of the declaration; null if there is none */
    public DeclarationState stateOf(JobDeclaration declaration, Job job) {
        if (declaration.withdrawnAt() != null) {
            return DeclarationState.WITHDRAWN;
        }
        if (declaration.problem() != null) {
            return DeclarationState.REFUSED;
        }
        if (job == null) {
            return DeclarationState.DISMISSED;
        }
        return specOf(declaration).isFollowedBy(job.spec()) ? DeclarationState.FOLLOWED : DeclarationState.DIFFERS;
    }

    /** Returns the differences; empty if no declaration was ever accepted or the stored one is no longer valid. */
    public List<Difference> differences(JobDeclaration declaration, Job job) {
        if (declaration.declared() == null) {
            return List.of();
        }
        try {
            return Differences.between(specOf(declaration).over(job.spec()), job.spec());
        } catch (OrthException e) {
            return List.of();
        }
    }

    /** Returns unapplied declarations, ordered by group and name: rejected ones, and those of jobs that a user has deleted. */
    public List<JobDeclaration> inVain(int limit) {
        return declarations.inVain(limit);
    }

    /** Updates the job to match its declaration, which it follows from then on. Does not pause or resume the job. */
    public Job apply(int jobId) {
        Job job = jobs.get(jobId);
        JobDeclaration declaration = of(job).orElseThrow(() -> OrthException.notFound("declaration of job", jobId));
        if (declaration.withdrawnAt() != null) {
            throw OrthException.of(ErrorCode.CONFLICT, "code declares job %d no longer".formatted(jobId));
        }
        if (declaration.declared() == null) {
            throw OrthException.of(ErrorCode.CONFLICT, "what code declares was refused: " + declaration.problem());
        }
        declarations.link(declaration, jobId);
        JobSpec spec = specOf(declaration).over(job.spec());
        return spec.equals(job.spec()) ? job : jobs.update(jobId, job.version(), spec, job.enabled());
    }

    private static DeclaredSpec specOf(JobDeclaration declaration) {
        return new DeclaredSpec(declaration.declared(), declaration.groupId());
    }
}
