package io.orth.admin.api;

import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobChildren;
import io.orth.admin.job.JobFilter;
import io.orth.admin.job.JobPut;
import io.orth.admin.job.JobSource;
import io.orth.admin.job.JobSources;
import io.orth.admin.job.Jobs;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Endpoints for jobs by group name and job name, and for job files. */
@RestController
@RequestMapping("/api/jobs")
class JobFilesApi {

    private static final int MOST_EXPORTED = 10_000;
    private static final int PAGE = 500;
    private static final int SOURCES_AT_ONCE = 20;
    private static final long MOST_SOURCE_TEXT = 16_000_000;
    private static final String FAILED = "FAILED";

    private final Jobs jobs;
    private final JobChildren children;
    private final JobSources sources;
    private final JobFile file;
    private final JobText text;

    JobFilesApi(Jobs jobs, JobSources sources, JobChildren children, JobFile file, JobText text) {
        this.children = children;
        this.jobs = jobs;
        this.sources = sources;
        this.file = file;
        this.text = text;
    }

    /**
     * Outcome for one job of a file.
     *
     * @param outcome {@code CREATED}, {@code UPDATED}, {@code UNCHANGED} or {@code FAILED}
     * @param id null if the job does not exist
     * @param problem why the job failed; null otherwise
     */
    record Imported(String group, String name, String outcome, String id, String problem) {}

    record Import(boolean dryRun, int created, int updated, int unchanged, int failed, List<Imported> jobs) {

        static Import of(boolean dryRun, List<Imported> jobs) {
            List<String> outcomes = jobs.stream().map(Imported::outcome).toList();
            return new Import(
                    dryRun,
                    Collections.frequency(outcomes, "CREATED"),
                    Collections.frequency(outcomes, "UPDATED"),
                    Collections.frequency(outcomes, "UNCHANGED"),
                    Collections.frequency(outcomes, FAILED),
                    jobs);
        }

        String inWords() {
            return "%d created, %d updated, %d unchanged, %d failed".formatted(created, updated, unchanged, failed);
        }
    }

    /** Creates or updates the job with this group and name. Repeating the call changes nothing. */
    @PutMapping
    @Access(Role.OPERATOR)
    ResponseEntity<JobView> put(@RequestBody JsonNode body, ApiCall call) {
        JobFile.Entry entry = file.readJob(body);
        JobPut put =
                jobs.put(entry.spec(), entry.body().toBeEnabled(), entry.body().toSourceEdit(call.caller()));
        call.about(
                "job",
                put.job().id(),
                "%s %s".formatted(entry.spec().name(), put.outcome().name().toLowerCase(Locale.ROOT)));
        return ResponseEntity.status(put.outcome() == JobPut.Outcome.CREATED ? 201 : 200)
                .body(views(List.of(put.job())).get(0));
    }

    @GetMapping("/export")
    @Access(Role.VIEWER)
    ResponseEntity<byte[]> export(
            @RequestParam(required = false) String format,
            @RequestParam(required = false) String q,
            @RequestParam(required = false) String groupId,
            @RequestParam(required = false) Boolean enabled) {
        boolean json = isJson(format);
        Map<String, Object> tree =
                file.write(views(all(Filters.text("q", q), Ids.parseOptionalInt("groupId", groupId), enabled)));
        return ResponseEntity.ok()
                .contentType(json ? MediaType.APPLICATION_JSON : JobText.YAML)
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        "attachment; filename=\"orth-jobs.%s\"".formatted(json ? "json" : "yaml"))
                .body(json ? text.writeJson(tree) : text.writeYaml(tree));
    }

    private static boolean isJson(String format) {
        if (format == null || format.equals("yaml")) {
            return false;
        }
        if (format.equals("json")) {
            return true;
        }
        throw OrthException.invalid("format", "must be yaml or json");
    }

    private List<Job> all(String text, Integer groupId, Boolean enabled) {
        List<Job> found = new ArrayList<>();
        List<Job> page;
        int after = 0;
        do {
            page = jobs.list(new JobFilter(text, groupId, enabled, after, PAGE));
            found.addAll(page);
            if (found.size() > MOST_EXPORTED) {
                throw OrthException.invalid(
                        "groupId", "is needed: a file has at most %d jobs".formatted(MOST_EXPORTED));
            }
            after = page.isEmpty() ? after : page.get(page.size() - 1).id();
        } while (page.size() == PAGE);
        return found;
    }

    private List<JobView> views(List<Job> found) {
        Map<Integer, String> texts = sourcesOf(found);
        Map<Integer, String> names = children.names(found.stream()
                .flatMap(job -> job.spec().after().children().stream())
                .map(ChildJob::jobId)
                .toList());
        return found.stream()
                .map(job -> JobView.of(job, new JobView.Beside(null, texts.get(job.id()), null, names, null)))
                .toList();
    }

    /** Loads sources in small batches: each may have a megabyte, and all of them together may exceed this node's memory. */
    private Map<Integer, String> sourcesOf(List<Job> found) {
        List<JobSources.Key> keys = found.stream()
                .filter(job -> job.sourceVersion() != null)
                .map(job -> new JobSources.Key(job.id(), job.sourceVersion()))
                .toList();
        Map<Integer, String> texts = new HashMap<>();
        long total = 0;
        for (int i = 0; i < keys.size(); i += SOURCES_AT_ONCE) {
            for (JobSource source : sources.load(keys.subList(i, Math.min(keys.size(), i + SOURCES_AT_ONCE)))) {
                total += source.text().length();
                texts.put(source.about().jobId(), source.text());
            }
            if (total > MOST_SOURCE_TEXT) {
                throw OrthException.invalid(
                        "groupId",
                        "is needed: the jobs have more than %d characters of source".formatted(MOST_SOURCE_TEXT));
            }
        }
        return texts;
    }

    /**
     * Imports a file. Stores nothing if any job of the file is invalid. Other errors, such as a source that the caller may not write, fail
     * only the affected job.
     */
    @PostMapping(
            path = "/import",
            consumes = {MediaType.APPLICATION_JSON_VALUE, "application/yaml"})
    @Access(Role.OPERATOR)
    Import importFile(@RequestBody byte[] body, @RequestParam(defaultValue = "false") boolean dryRun, ApiCall call) {
        boolean yaml = JobText.YAML.isCompatibleWith(MediaType.parseMediaType(call.contentType()));
        List<JobFile.Entry> entries = file.read(yaml ? text.readYaml(body) : text.readJson(body));
        Import done = Import.of(
                dryRun,
                entries.stream()
                        .map(entry -> take(entry, dryRun, call.caller()))
                        .toList());
        call.about("jobs", "of a file", (dryRun ? "dry run: " : "") + done.inWords());
        return done;
    }

    private Imported take(JobFile.Entry entry, boolean dryRun, Principal caller) {
        String name = entry.spec().name();
        boolean enabled = entry.body().toBeEnabled();
        try {
            JobPut put = dryRun
                    ? jobs.plan(entry.spec(), enabled, entry.body().toSourceEdit(caller))
                    : jobs.put(entry.spec(), enabled, entry.body().toSourceEdit(caller));
            String id = put.job() == null ? null : Integer.toString(put.job().id());
            return new Imported(entry.group(), name, put.outcome().name(), id, null);
        } catch (OrthException e) {
            return new Imported(entry.group(), name, FAILED, null, e.getMessage());
        }
    }
}
