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

/** What code declares, as people look at it, and their word that a job is to follow it again. */
@Component
public class Declarations {

    private final DeclarationRepository declarations;
    private final Jobs jobs;

    public Declarations(JdbcClient jdbc, Jobs jobs) {
        this.declarations = new DeclarationRepository(jdbc);
        this.jobs = jobs;
    }

    /** What the code says about this job, if it says anything. */
    public Optional<JobDeclaration> of(Job job) {
        return Optional.ofNullable(declarations.ofJobs(List.of(job.id())).get(job.id()));
    }

    /** Of those that code says something about, by job. */
    public Map<Integer, DeclarationState> statesOf(List<Job> found) {
        if (found.isEmpty()) {
            return Map.of();
        }
        Map<Integer, Job> byId = found.stream().collect(Collectors.toMap(Job::id, Function.identity()));
        return declarations.ofJobs(byId.keySet()).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> stateOf(entry.getValue(), byId.get(entry.getKey()))));
    }

    /** @param job the one it is about; null where there is none */
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

    /** Nothing where the code never said anything that could be taken, or what it said is no longer understood. */
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

    /** What code declares in vain: refused, or about a job that a person has deleted. By group and name, up to {@code limit}. */
    public List<JobDeclaration> inVain(int limit) {
        return declarations.inVain(limit);
    }

    /** Makes the job what the code says, from when on it follows the code again. Whether it is paused stays as it is. */
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
