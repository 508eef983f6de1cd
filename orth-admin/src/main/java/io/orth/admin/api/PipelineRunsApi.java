package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRunFilter;
import io.orth.admin.pipeline.PipelineRunResult;
import io.orth.admin.pipeline.PipelineRunStatus;
import io.orth.admin.pipeline.PipelineRuns;
import io.orth.admin.pipeline.PipelineTask;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Endpoints for pipeline runs, their tasks, execution logs and content. */
@RestController
class PipelineRunsApi {

    private static final String RUN = "pipeline run";
    private static final Set<String> PHASES = Set.of("start", "step", "summary", "error");

    private final PipelineRuns runs;
    private final PipelineTasks tasks;

    PipelineRunsApi(PipelineRuns runs, PipelineTasks tasks) {
        this.runs = runs;
        this.tasks = tasks;
    }

    record CancelBody(String reason) {}

    /** Replacement of the result and the links; null or missing removes them. */
    record ResultBody(JsonNode result, List<PipelineRunResult.Link> links) {

        PipelineRunResult toResult() {
            return new PipelineRunResult(
                    result == null || result.isNull() ? null : result.toString(),
                    links == null
                            ? List.of()
                            : links.stream()
                                    .map(link -> link == null ? new PipelineRunResult.Link(null, null) : link)
                                    .toList());
        }
    }

    /**
     * Failed tasks to retry; all of them if neither field is given.
     *
     * @param stage only tasks of this stage
     * @param taskIds only these tasks, up to 1,000
     */
    record RetryTasksBody(String stage, List<String> taskIds) {}

    /**
     * Run that resumes.
     *
     * @param retried number of failed tasks that are retried
     */
    record RetriedView(@JsonUnwrapped PipelineRunView run, long retried) {}

    /** Lists runs, newest first. */
    @GetMapping("/api/pipeline-runs")
    @Access(Role.VIEWER)
    @MetaFilter.Supported
    Page<PipelineRunView> list(
            @RequestParam(required = false) String pipeline,
            @RequestParam(required = false) PipelineRunStatus status,
            @RequestParam(required = false) String createdBy,
            @RequestParam(required = false) String from,
            @RequestParam(required = false) String to,
            PageRequest page,
            HttpServletRequest request) {
        List<PipelineRun> found = runs.list(new PipelineRunFilter(
                Filters.text("pipeline", pipeline),
                status,
                Filters.text("createdBy", createdBy),
                Instants.parseOptional("from", from),
                Instants.parseOptional("to", to),
                MetaFilter.of(request),
                page.after().orElse(Long.MAX_VALUE),
                page.rows()));
        return Page.of(found, page, PipelineRun::id, PipelineRunView::brief);
    }

    @GetMapping("/api/pipeline-runs/{id}")
    @Access(Role.VIEWER)
    PipelineRunView get(@PathVariable String id) {
        return PipelineRunView.whole(run(id));
    }

    private PipelineRun run(String id) {
        return runs.get(Ids.parseLong("id", id));
    }

    /** Lists the tasks of a run in the order of their creation. */
    @GetMapping("/api/pipeline-runs/{id}/tasks")
    @Access(Role.VIEWER)
    @MetaFilter.Supported
    Page<PipelineTaskView> tasks(
            @PathVariable String id,
            @RequestParam(required = false) String stage,
            @RequestParam(required = false) PipelineTaskStatus status,
            @RequestParam(required = false) String targetType,
            @RequestParam(required = false) String targetId,
            @RequestParam(required = false) String language,
            PageRequest page,
            HttpServletRequest request) {
        Map<String, String> meta = MetaFilter.of(request);
        String inLanguage = Filters.text("language", language);
        if (inLanguage != null && meta.put("language", inLanguage) != null) {
            throw OrthException.invalid("language", "must not be given together with meta.language");
        }
        PipelineRun run = run(id);
        List<PipelineTask> found = tasks.list(new PipelineTasks.Filter(
                run.id(),
                stage == null ? null : placeOf(run, stage),
                status,
                Filters.text("targetType", targetType),
                Filters.text("targetId", targetId),
                meta,
                page.after().orElse(0),
                page.rows()));
        return Page.of(found, page, PipelineTask::id, task -> PipelineTaskView.of(task, run));
    }

    private static int placeOf(PipelineRun run, String stage) {
        for (int i = 0; i < run.stages().size(); i++) {
            if (run.stages().get(i).name().equals(stage)) {
                return i;
            }
        }
        throw OrthException.invalid("stage", "is not one of the run's");
    }

    @GetMapping("/api/pipeline-tasks/{id}")
    @Access(Role.VIEWER)
    PipelineTaskView task(@PathVariable String id) {
        PipelineTask task = tasks.get(Ids.parseLong("id", id));
        return PipelineTaskView.of(task, runs.get(task.rootId()));
    }

    /** Lists tasks of all unfinished runs, those first that have not changed for the longest time. */
    @GetMapping("/api/pipeline-tasks")
    @Access(Role.VIEWER)
    Page<PipelineTaskView> unchanged(@RequestParam(required = false) String limit) {
        List<PipelineTask> found = tasks.unchanged(PageRequest.of(limit, null).limit());
        Map<Long, PipelineRun> of =
                runs.find(found.stream().map(PipelineTask::rootId).collect(Collectors.toSet()));
        return new Page<>(
                found.stream()
                        .map(task -> PipelineTaskView.of(task, of.get(task.rootId())))
                        .toList(),
                null);
    }

    /** Lists the execution log of a run, oldest first. */
    @GetMapping("/api/pipeline-runs/{id}/execution-log")
    @Access(Role.VIEWER)
    Page<PipelineTasks.LogLine> executionLog(
            @PathVariable String id,
            @RequestParam(required = false) String taskId,
            @RequestParam(required = false) String phase,
            PageRequest page) {
        if (phase != null && !PHASES.contains(phase)) {
            throw OrthException.invalid("phase", "must be start, step, summary or error");
        }
        return Page.of(
                tasks.log(
                        run(id).id(),
                        Ids.parseOptionalLong("taskId", taskId),
                        phase,
                        page.after().orElse(0),
                        page.rows()),
                page,
                PipelineTasks.LogLine::no);
    }

    /** Lists the content that the tasks of a run have reported, in the order of the reports. */
    @GetMapping("/api/pipeline-runs/{id}/content")
    @Access(Role.VIEWER)
    Page<PipelineTasks.Content> content(
            @PathVariable String id,
            @RequestParam(required = false) String taskId,
            @RequestParam(required = false) String status,
            PageRequest page) {
        return Page.of(
                tasks.content(
                        run(id).id(),
                        Ids.parseOptionalLong("taskId", taskId),
                        Filters.text("status", status),
                        page.after().orElse(0),
                        page.rows()),
                page,
                PipelineTasks.Content::no);
    }

    /** Replaces the result and the links of a run. */
    @PutMapping("/api/pipeline-runs/{id}/result")
    @Access(Role.OPERATOR)
    PipelineRunView setResult(@PathVariable String id, @RequestBody ResultBody body, HttpServletRequest request) {
        AuditNote.about(request, RUN, id, null);
        return PipelineRunView.whole(runs.setResult(Ids.parseLong("id", id), body.toResult()));
    }

    /** Cancels a run. Once this returns, none of its tasks starts; executors are asked to stop its running tasks. */
    @PostMapping("/api/pipeline-runs/{id}/cancel")
    @Access(Role.OPERATOR)
    PipelineRunView cancel(
            @PathVariable String id,
            @RequestBody(required = false) CancelBody body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request) {
        String reason = body == null ? null : Filters.text("reason", body.reason());
        AuditNote.about(request, RUN, id, reason);
        return PipelineRunView.whole(runs.cancel(Ids.parseLong("id", id), caller.name(), reason));
    }

    /** Retries failed tasks; a failed run resumes with them. */
    @PostMapping("/api/pipeline-runs/{id}/retry")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.ACCEPTED)
    RetriedView retry(
            @PathVariable String id,
            @RequestBody(required = false) RetryTasksBody body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request) {
        String stage = body == null ? null : body.stage();
        List<Long> only = body == null || body.taskIds() == null
                ? null
                : body.taskIds().stream()
                        .map(each -> Ids.parseLong("taskIds", each == null ? "" : each))
                        .toList();
        AuditNote.about(request, RUN, id, stage == null ? null : "stage " + stage);
        PipelineRuns.Retried retried = runs.retry(Ids.parseLong("id", id), stage, only, caller.name());
        return new RetriedView(PipelineRunView.whole(retried.run()), retried.tasks());
    }
}
