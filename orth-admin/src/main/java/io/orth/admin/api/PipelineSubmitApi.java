package io.orth.admin.api;

import io.orth.admin.pipeline.Pipeline;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRunStatus;
import io.orth.admin.pipeline.PipelineRuns;
import io.orth.admin.pipeline.Pipelines;
import io.orth.admin.pipeline.Submission;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that submit pipeline runs. Submitter and trace id are taken from the call itself. */
@RestController
class PipelineSubmitApi {

    private static final String HYDRATE_ALL = "hydrateAll";

    private final Pipelines pipelines;
    private final PipelineRuns runs;

    PipelineSubmitApi(Pipelines pipelines, PipelineRuns runs) {
        this.pipelines = pipelines;
        this.runs = runs;
    }

    /**
     * Expected number of tasks.
     *
     * @param tasks null if unknown
     * @param basis source of the estimate: {@code LAST_RUN}, {@code TARGETS} or {@code NONE}
     */
    record EstimateView(Long tasks, String basis) {}

    /**
     * Result of a submission.
     *
     * @param rootJobId null for a dry run
     * @param duplicate whether the run was submitted before, with the same idempotency key
     */
    record SubmittedView(
            Long rootJobId,
            PipelineRunStatus status,
            String pipeline,
            int version,
            EstimateView estimate,
            String traceId,
            Instant createdAt,
            boolean duplicate) {}

    @PostMapping("/api/pipelines/{name}/runs")
    @Access(Role.ADMIN)
    ResponseEntity<SubmittedView> submit(
            @PathVariable String name,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) String key,
            @RequestBody SubmissionBody body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request) {
        AuditNote.about(request, "pipeline", name, body.isDryRun() ? "dry run" : null);
        Submission submission = body.toSubmission(name, key, caller.name(), TraceId.of(request));
        if (body.isDryRun()) {
            Pipeline pipeline = pipelines.get(name);
            EstimateView estimate = estimate(
                    runs.estimate(submission).orElse(null), pipeline.stages().size());
            return ResponseEntity.ok(new SubmittedView(
                    null, null, name, pipeline.version(), estimate, submission.traceId(), null, false));
        }
        PipelineRuns.Submitted submitted = runs.submit(submission);
        PipelineRun run = submitted.run();
        AuditNote.about(request, "pipeline run", run.id(), "of " + name);
        return ResponseEntity.status(HttpStatus.ACCEPTED)
                .body(new SubmittedView(
                        run.id(),
                        run.status(),
                        name,
                        run.version(),
                        estimate(run.estimate(), run.stages().size()),
                        run.traceId(),
                        run.times().createdAt(),
                        submitted.duplicate()));
    }

    /** Submits a run of the pipeline {@code hydrateAll}. */
    @PostMapping("/api/hydrateAll")
    @Access(Role.ADMIN)
    ResponseEntity<SubmittedView> hydrateAll(
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) String key,
            @RequestBody SubmissionBody body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request) {
        return submit(HYDRATE_ALL, key, body, caller, request);
    }

    private static EstimateView estimate(Long tasks, int stages) {
        return new EstimateView(tasks, tasks == null ? "NONE" : stages == 1 ? "TARGETS" : "LAST_RUN");
    }
}
