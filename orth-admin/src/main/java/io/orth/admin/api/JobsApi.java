package io.orth.admin.api;

import io.orth.admin.declaration.DeclarationState;
import io.orth.admin.declaration.Declarations;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobChildren;
import io.orth.admin.job.JobFilter;
import io.orth.admin.job.JobSources;
import io.orth.admin.job.Jobs;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import io.orth.admin.triggering.KeyedTriggers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that create, change, pause and trigger jobs. */
@RestController
@RequestMapping("/api/jobs")
class JobsApi {

    private final Jobs jobs;
    private final Runs runs;
    private final KeyedTriggers triggers;
    private final JobSources sources;
    private final JobChildren children;
    private final Declarations declarations;

    JobsApi(
            Jobs jobs,
            JobSources sources,
            JobChildren children,
            Declarations declarations,
            Runs runs,
            KeyedTriggers triggers) {
        this.jobs = jobs;
        this.declarations = declarations;
        this.children = children;
        this.sources = sources;
        this.runs = runs;
        this.triggers = triggers;
    }

    /** Parameter of a single run. */
    record TriggerBody(String param) {}

    record Triggered(String runId) {}

    @GetMapping
    @Access(Role.VIEWER)
    Page<JobView> list(
            @RequestParam(required = false) String q,
            @RequestParam(required = false) String groupId,
            @RequestParam(required = false) Boolean enabled,
            PageRequest page) {
        JobFilter filter = new JobFilter(
                Filters.text("q", q),
                Ids.parseOptionalInt("groupId", groupId),
                enabled,
                (int) Math.min(page.after().orElse(0), Integer.MAX_VALUE),
                page.rows());
        List<Job> found = jobs.list(filter);
        Map<Integer, Run> last = runs.latestOf(found.stream().map(Job::id).toList()).stream()
                .collect(Collectors.toMap(Run::jobId, Function.identity()));
        Map<Integer, String> names =
                children.names(found.stream().flatMap(JobsApi::childIds).toList());
        Map<Integer, DeclarationState> states = declarations.statesOf(found);
        return Page.of(
                found,
                page,
                Job::id,
                job -> JobView.of(
                        job,
                        new JobView.Beside(
                                last.get(job.id()), null, null, names, DeclarationView.of(states.get(job.id())))));
    }

    @PostMapping
    @Access(Role.OPERATOR)
    ResponseEntity<JobView> create(@RequestBody JobBody body, ApiCall call) {
        Job job = jobs.create(body.toSpec(), body.toBeEnabled(), body.toSourceEdit(call.caller()));
        call.about("job", job.id(), described(job));
        return ResponseEntity.created(URI.create("/api/jobs/" + job.id()))
                .eTag(Versions.tag(job))
                .body(view(job));
    }

    @GetMapping("/{id}")
    @Access(Role.VIEWER)
    ResponseEntity<JobView> get(@PathVariable String id) {
        Job job = jobs.get(Ids.parseInt("id", id));
        return ResponseEntity.ok().eTag(Versions.tag(job)).body(view(job));
    }

    @PutMapping("/{id}")
    @Access(Role.OPERATOR)
    ResponseEntity<JobView> update(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) String ifMatch,
            @RequestBody JobBody body,
            ApiCall call) {
        int jobId = Ids.parseInt("id", id);
        call.about("job", jobId, body.name());
        int version = Versions.seen(jobs.get(jobId), ifMatch, body.version());
        Job job = jobs.update(jobId, version, body.toSpec(), body.toBeEnabled(), body.toSourceEdit(call.caller()));
        call.about("job", jobId, described(job));
        return ResponseEntity.ok().eTag(Versions.tag(job)).body(view(job));
    }

    @DeleteMapping("/{id}")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id, ApiCall call) {
        int jobId = Ids.parseInt("id", id);
        call.about("job", jobId, jobs.get(jobId).spec().name());
        jobs.delete(jobId);
    }

    @PostMapping("/{id}/pause")
    @Access(Role.OPERATOR)
    JobView pause(@PathVariable String id, ApiCall call) {
        int jobId = Ids.parseInt("id", id);
        call.about("job", jobId, null);
        return view(jobs.pause(jobId));
    }

    @PostMapping("/{id}/resume")
    @Access(Role.OPERATOR)
    JobView resume(@PathVariable String id, ApiCall call) {
        int jobId = Ids.parseInt("id", id);
        call.about("job", jobId, null);
        return view(jobs.resume(jobId));
    }

    /** Applies the declaration to the job. Whether the job is paused does not change. */
    @PostMapping("/{id}/declaration/apply")
    @Access(Role.OPERATOR)
    JobView applyDeclaration(@PathVariable String id, ApiCall call) {
        int jobId = Ids.parseInt("id", id);
        call.about("job", jobId, null);
        return view(declarations.apply(jobId));
    }

    /** Triggers the job now, even if it is paused. Repeating the idempotency key within a day creates no further run. */
    @PostMapping("/{id}/trigger")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.ACCEPTED)
    Triggered trigger(
            @PathVariable String id,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) String key,
            @RequestBody(required = false) TriggerBody body,
            ApiCall call) {
        Job job = jobs.get(Ids.parseInt("id", id));
        TriggerType type = call.caller().kind() == Principal.Kind.USER ? TriggerType.MANUAL : TriggerType.API;
        String param = body == null ? null : body.param();
        long run = triggers.fire(IdempotencyKey.checked(key), job, param, type, call.traceId());
        call.about("job", job.id(), "run " + run);
        return new Triggered(Long.toString(run));
    }

    private JobView view(Job job) {
        List<Run> last = runs.latestOf(List.of(job.id()));
        String source = job.sourceVersion() == null
                ? null
                : sources.get(job.id(), job.sourceVersion()).text();
        List<Integer> parents = children.parentsOf(job.id());
        Map<Integer, String> names =
                children.names(Stream.concat(childIds(job), parents.stream()).toList());
        DeclarationView declared = declarations
                .of(job)
                .map(declaration -> DeclarationView.of(declaration, job, declarations))
                .orElse(null);
        return JobView.of(
                job, new JobView.Beside(last.isEmpty() ? null : last.get(0), source, parents, names, declared));
    }

    private static Stream<Integer> childIds(Job job) {
        return job.spec().after().children().stream().map(ChildJob::jobId);
    }

    /** Returns the job's description for the audit log, including the source that it runs. */
    private static String described(Job job) {
        String name = job.spec().name();
        return job.sourceVersion() == null
                ? name
                : "%s, %s version %d".formatted(name, job.spec().execution().glue(), job.sourceVersion());
    }
}
