package io.orth.admin.api;

import io.orth.admin.run.Run;
import java.time.Instant;
import java.util.List;

/**
 * The runs around a run.
 *
 * @param attempts all attempts at the same work, the first one first; the run itself is among them
 * @param parent the run whose success fired the first attempt; null where none did, or where it is not kept any more
 * @param children the runs that its success fired
 */
record RelatedRuns(List<RunLink> attempts, RunLink parent, List<RunLink> children) {

    /** Another run, in short. */
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

    /** {@code parent} may be null. */
    static RelatedRuns of(List<Run> attempts, Run parent, List<Run> children) {
        return new RelatedRuns(
                attempts.stream().map(RunLink::of).toList(),
                parent == null ? null : RunLink.of(parent),
                children.stream().map(RunLink::of).toList());
    }
}
