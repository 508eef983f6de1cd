package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.Pipeline;
import io.orth.admin.pipeline.PipelineReconciler;
import io.orth.admin.pipeline.PipelineRunStatus;
import io.orth.admin.pipeline.PipelineVersion;
import io.orth.admin.pipeline.Pipelines;
import io.orth.admin.pipeline.Reconciliation;
import io.orth.admin.pipeline.Stage;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Endpoints for pipelines, and for pausing them. */
@RestController
@RequestMapping("/api/pipelines")
class PipelinesApi {

    private static final String PIPELINE = "pipeline";

    private final Pipelines pipelines;
    private final PipelineReconciler reconciler;
    private final JobText text;
    private final JsonMapper json;

    PipelinesApi(Pipelines pipelines, PipelineReconciler reconciler, JobText text, JsonMapper json) {
        this.pipelines = pipelines;
        this.reconciler = reconciler;
        this.text = text;
        this.json = json;
    }

    /**
     * All pipelines, by name.
     *
     * @param paused whether all pipelines are paused
     */
    record PipelineList(boolean paused, List<PipelineView> items) {}

    /** @param items the newest versions first, at most a hundred */
    record VersionList(List<PipelineVersion> items) {}

    /** State of the switch that pauses all pipelines. */
    record SwitchView(boolean paused) {}

    /** @param dryRun true if missing: only reports what would be done */
    record ReconcileBody(String rootJobId, Boolean dryRun) {}

    /** Actions that were taken for a run, or would be taken. */
    record ReconcileView(
            long rootJobId, boolean dryRun, PipelineRunStatus status, List<Reconciliation.Action> actions) {}

    @GetMapping
    @Access(Role.VIEWER)
    PipelineList list() {
        return new PipelineList(
                pipelines.allPaused(),
                pipelines.list().stream().map(PipelineView::of).toList());
    }

    @GetMapping("/{name}")
    @Access(Role.VIEWER)
    ResponseEntity<Object> get(@PathVariable String name, @RequestParam(required = false) String format) {
        Pipeline pipeline = pipelines.get(name);
        if (format == null || format.equals("json")) {
            return ResponseEntity.ok(PipelineView.of(pipeline));
        }
        if (!format.equals("yaml")) {
            throw OrthException.invalid("format", "must be yaml or json");
        }
        return ResponseEntity.ok().contentType(JobText.YAML).body(text.writeYaml(file(pipeline)));
    }

    /** Returns the pipeline in the format that PUT accepts. */
    private Map<String, Object> file(Pipeline pipeline) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("description", pipeline.description());
        file.put("stages", pipeline.stages().stream().map(this::file).toList());
        return file;
    }

    private Map<String, Object> file(Stage stage) {
        Map<String, Object> file = json.convertValue(stage, new TypeReference<>() {});
        file.values().removeIf(Objects::isNull);
        return file;
    }

    @GetMapping("/{name}/versions")
    @Access(Role.VIEWER)
    VersionList versions(@PathVariable String name) {
        return new VersionList(pipelines.versions(name));
    }

    /** Creates the pipeline or a new version of it, from JSON or YAML. Repeating the call changes nothing. */
    @PutMapping(
            path = "/{name}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, "application/yaml"})
    @Access(Role.ADMIN)
    ResponseEntity<PipelineView> put(
            @PathVariable String name,
            @RequestBody byte[] body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, name, null);
        Pipelines.Put put = pipelines.put(read(body, request).toSpec(name), caller.name());
        AuditNote.about(
                request, PIPELINE, name, "version %d".formatted(put.pipeline().version()));
        return ResponseEntity.status(put.created() ? HttpStatus.CREATED : HttpStatus.OK)
                .body(PipelineView.of(put.pipeline()));
    }

    private PipelineBody read(byte[] body, HttpServletRequest request) {
        boolean yaml = JobText.YAML.isCompatibleWith(MediaType.parseMediaType(request.getContentType()));
        try {
            PipelineBody read = json.treeToValue(yaml ? text.readYaml(body) : text.readJson(body), PipelineBody.class);
            if (read == null) {
                throw OrthException.invalid("stages", "is missing");
            }
            return read;
        } catch (JacksonException e) {
            throw OrthException.invalid(List.of(ProblemField.of(e)));
        }
    }

    /** Deletes a pipeline. Its finished runs stay. */
    @DeleteMapping("/{name}")
    @Access(Role.ADMIN)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String name, HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, name, null);
        pipelines.delete(name);
    }

    /** Pauses a pipeline. Once this returns, none of its tasks starts; running tasks finish. */
    @PostMapping("/{name}/pause")
    @Access(Role.ADMIN)
    PipelineView pause(@PathVariable String name, HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, name, null);
        return PipelineView.of(pipelines.pause(name));
    }

    @PostMapping("/{name}/resume")
    @Access(Role.ADMIN)
    PipelineView resume(@PathVariable String name, HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, name, null);
        return PipelineView.of(pipelines.resume(name));
    }

    @PostMapping("/{name}/stages/{stage}/pause")
    @Access(Role.ADMIN)
    PipelineView pauseStage(@PathVariable String name, @PathVariable String stage, HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, name, "stage " + stage);
        return PipelineView.of(pipelines.pauseStage(name, stage, true));
    }

    @PostMapping("/{name}/stages/{stage}/resume")
    @Access(Role.ADMIN)
    PipelineView resumeStage(@PathVariable String name, @PathVariable String stage, HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, name, "stage " + stage);
        return PipelineView.of(pipelines.pauseStage(name, stage, false));
    }

    @PostMapping("/pause")
    @Access(Role.ADMIN)
    SwitchView pauseAll(HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, "all", null);
        pipelines.pauseAll(true);
        return new SwitchView(true);
    }

    @PostMapping("/resume")
    @Access(Role.ADMIN)
    SwitchView resumeAll(HttpServletRequest request) {
        AuditNote.about(request, PIPELINE, "all", null);
        pipelines.pauseAll(false);
        return new SwitchView(false);
    }

    /** Reconciles a run, or reports what reconciling it would do. */
    @PostMapping("/reconcile")
    @Access(Role.OPERATOR)
    ReconcileView reconcile(@RequestBody ReconcileBody body, HttpServletRequest request) {
        if (body.rootJobId() == null) {
            throw OrthException.invalid("rootJobId", "is missing");
        }
        boolean dryRun = body.dryRun() == null || body.dryRun();
        AuditNote.about(request, "pipeline run", body.rootJobId(), dryRun ? "dry run" : "reconciled");
        Reconciliation done = reconciler.reconcile(Ids.parseLong("rootJobId", body.rootJobId()), dryRun);
        return new ReconcileView(done.rootId(), dryRun, done.status(), done.actions());
    }
}
