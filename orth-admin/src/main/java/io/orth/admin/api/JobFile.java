package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.orth.admin.job.JobChildren;
import io.orth.admin.job.JobSpec;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Groups;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Jobs in files: the fields of {@link JobBody}, but with groups by name, because ids belong to one installation. */
@Component
class JobFile {

    static final int MOST_JOBS = 1_000;

    private static final int MOST_ERRORS = 50;
    private static final String JOBS = "jobs";
    private static final String GROUP = "group";
    private static final String GROUP_ID = "groupId";
    private static final String VERSION = "version";

    /** Fields of a job in a file, in file order. */
    private static final List<String> FIELDS = Arrays.stream(JobBody.class.getRecordComponents())
            .map(RecordComponent::getName)
            .filter(name -> !name.equals(GROUP_ID) && !name.equals(VERSION))
            .toList();

    private final JsonMapper json;
    private final JsonMapper withoutNulls;
    private final Groups groups;
    private final JobChildren children;

    JobFile(JsonMapper json, Groups groups, JobChildren children) {
        this.children = children;
        this.json = json;
        this.withoutNulls = json.rebuild()
                .changeDefaultPropertyInclusion(usual -> usual.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();
        this.groups = groups;
    }

    /** Valid job of a file. */
    record Entry(String group, JobBody body, JobSpec spec) {}

    /** Returns all jobs of the file. If any job is invalid, throws with the errors; stops after {@value #MOST_ERRORS} errors. */
    List<Entry> read(JsonNode file) {
        if (!file.path(JOBS).isArray() || file.size() != 1) {
            throw OrthException.invalid(JOBS, "must be a list of jobs, and all that the file has");
        }
        JsonNode jobs = file.path(JOBS);
        if (jobs.size() > MOST_JOBS) {
            throw OrthException.invalid(JOBS, "must be at most %d".formatted(MOST_JOBS));
        }
        List<Entry> entries = new ArrayList<>();
        List<FieldError> errors = new ArrayList<>();
        Map<String, Integer> known = new HashMap<>();
        Set<List<String>> names = new HashSet<>();
        for (int i = 0; i < jobs.size() && errors.size() < MOST_ERRORS; i++) {
            String prefix = "%s[%d]".formatted(JOBS, i);
            try {
                Entry entry = readJob(jobs.get(i), known);
                if (!names.add(List.of(entry.group(), entry.spec().name()))) {
                    throw OrthException.invalid("name", "is that of an earlier job of the file");
                }
                entries.add(entry);
            } catch (OrthException e) {
                errors.addAll(e.fields().stream()
                        .map(error -> ProblemField.within(prefix, error))
                        .toList());
            }
        }
        if (!errors.isEmpty()) {
            throw OrthException.invalid(errors);
        }
        return entries;
    }

    Entry readJob(JsonNode job) {
        return readJob(job, new HashMap<>());
    }

    private Entry readJob(JsonNode given, Map<String, Integer> known) {
        if (!(given instanceof ObjectNode job)) {
            throw OrthException.invalid("", "must be an object");
        }
        for (String unknown : List.of(GROUP_ID, VERSION)) {
            if (job.has(unknown)) {
                throw OrthException.invalid(unknown, "is not known here: a job in a file has a group and a name");
            }
        }
        String group = job.path(GROUP).isString() ? job.path(GROUP).asString() : null;
        if (group == null) {
            throw OrthException.invalid(GROUP, "is missing: the name of an executor group");
        }
        ObjectNode body = job.deepCopy();
        body.remove(GROUP);
        body.put(GROUP_ID, Integer.toString(known.computeIfAbsent(group, this::groupId)));
        try {
            JobBody read = json.treeToValue(body, JobBody.class);
            JobSpec spec = read.toSpec();
            checkChildren(read.children());
            return new Entry(group, read, spec);
        } catch (JacksonException e) {
            throw OrthException.invalid(List.of(ProblemField.of(e)));
        }
    }

    /** Checks each child's id against its name, because an id alone is meaningless in another installation. */
    private void checkChildren(List<ChildBody> given) {
        if (given == null || given.isEmpty()) {
            return;
        }
        Map<Integer, String> names = children.names(
                given.stream().map(child -> child.toChild().jobId()).toList());
        for (ChildBody child : given) {
            if (!Objects.equals(child.name(), names.get(child.toChild().jobId()))) {
                throw OrthException.invalid(
                        "children", "has job %s, whose name here is not '%s'".formatted(child.jobId(), child.name()));
            }
        }
    }

    private int groupId(String name) {
        return groups.list(name, 0, 1).stream()
                .findFirst()
                .map(ExecutorGroup::id)
                .orElseThrow(() -> OrthException.invalid(GROUP, "names no executor group: " + name));
    }

    /** Writes the format that {@link #read} reads. */
    Map<String, Object> write(List<JobView> jobs) {
        return Map.of(JOBS, jobs.stream().map(this::writeJob).toList());
    }

    private Map<String, Object> writeJob(JobView job) {
        JsonNode view = withoutNulls.valueToTree(job);
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("name", job.job().spec().name());
        written.put(GROUP, job.job().groupName());
        for (String field : FIELDS) {
            if (view.has(field)) {
                written.put(field, json.treeToValue(view.get(field), Object.class));
            }
        }
        if (job.glue() != null) {
            written.put(
                    "glue",
                    Map.of("type", job.glue().type(), "source", job.glue().source()));
        }
        return written;
    }
}
