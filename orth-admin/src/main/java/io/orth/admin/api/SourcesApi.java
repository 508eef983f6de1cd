package io.orth.admin.api;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobSource;
import io.orth.admin.job.JobSources;
import io.orth.admin.job.Jobs;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for the versions of a job's source. */
@RestController
@RequestMapping("/api/jobs/{id}/sources")
class SourcesApi {

    private final Jobs jobs;
    private final JobSources sources;

    SourcesApi(Jobs jobs, JobSources sources) {
        this.jobs = jobs;
        this.sources = sources;
    }

    /** Versions of the job and its source after a restore. */
    record Restored(int version, int sourceVersion) {}

    /** Lists all stored versions, newest first, without their text. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<JobSource> list(@PathVariable String id) {
        int jobId = jobs.get(Ids.parseInt("id", id)).id();
        return new Page<>(
                sources.list(jobId).stream()
                        .map(version -> new JobSource(version, null))
                        .toList(),
                null);
    }

    @GetMapping("/{version}")
    @Access(Role.VIEWER)
    JobSource get(@PathVariable String id, @PathVariable String version) {
        return sources.get(Ids.parseInt("id", id), Ids.parseInt("version", version));
    }

    /** Makes the text of this version the newest version. */
    @PostMapping("/{version}/restore")
    @Access(Role.ADMIN)
    Restored restore(@PathVariable String id, @PathVariable String version, ApiCall call) {
        int jobId = Ids.parseInt("id", id);
        int wanted = Ids.parseInt("version", version);
        call.about("job", jobId, "source version %d again".formatted(wanted));
        Job job = jobs.restoreSource(jobId, wanted, call.caller().name());
        return new Restored(job.version(), job.sourceVersion());
    }
}
