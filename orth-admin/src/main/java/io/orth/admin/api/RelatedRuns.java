package io.orth.admin.api;

import io.orth.admin.run.Run;
import java.time.Instant;
import java.util.List;

/**
 * Runs related to a run.
 *
 * @param attempts all attempts at the same work, including the run itself, the first attempt first
 * @param parent run whose success triggered the first attempt; null if there is none or it has been deleted
 * @param children runs that the run's success triggered
 */
record RelatedRuns(List<RunLink> attempts, RunLink parent, List<RunLink> children) {

    /** Summary of a run. */
    record RunLink(
            String id,
            String jobId,
            String jobName,
            String status,
            int triggerCode,
            int handleCode,
            String cause,
            int attempt,
            Instant createdAt,
            Instant notBefore,
            Instant finishedAt) {

        static RunLink of(Run run) {
            return new RunLink(
                    Long.toString(run.id()),
                    Integer.toString(run.jobId()),
                    run.jobName(),
                    run.status().name(),
                    run.triggerCode(),
                    run.handleCode(),
                    run.cause().name(),
                    run.lineage().attempt(),
                    run.createdAt(),
                    run.lineage().notBefore(),
                    run.finishedAt());
        }
    }

    /** @param parent null if there is none */
    static RelatedRuns of(List<Run> attempts, Run parent, List<Run> children) {
        return new RelatedRuns(
                attempts.stream().map(RunLink::of).toList(),
                parent == null ? null : RunLink.of(parent),
                children.stream().map(RunLink::of).toList());
    }
}
