package io.orth.launcher;

import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates the sample group, its executors and its jobs with requests to the admin. */
final class Samples {

    static final String GROUP = "samples";

    private static final String PIPELINE = "hydrateAll";

    private static final String SHELL = """
            # Kept in the admin, run by the executor. Exit value 0 is success; kill it to see that its processes end.
            echo "job $ORTH_JOB_ID, run $ORTH_JOB_LOG_ID, planned for ${ORTH_JOB_SCHEDULE_TIME:-now, by hand}"
            echo "parameter: '$1', shard $2 of $3"
            for step in 1 2 3 4 5; do
              echo "step $step"
              sleep 1
            done
            """;

    private static final String GROOVY = """
            // Kept in the admin, run inside the executor.
            OrthJobHelper.log('hello from Groovy, run {} of job {}', context.logId(), context.jobId())
            RunResult.success('squares: ' + (1..5).collect { it * it })
            """;

    /**
     * The sample group.
     *
     * @param fresh whether this start created it
     */
    record Group(String id, boolean fresh) {}

    private final AdminApi admin;
    private final String apiToken;

    Samples(AdminApi admin, String apiToken) {
        this.admin = admin;
        this.apiToken = apiToken;
    }

    Group group() throws InterruptedException {
        AdminApi.Answer made = admin.post("/api/groups", apiToken, Map.of("name", GROUP, "title", "Samples"));
        return made.is(409)
                ? new Group(existingGroup(), false)
                : new Group(idOf("make the group of samples", made), true);
    }

    private String existingGroup() throws InterruptedException {
        AdminApi.Answer found = admin.get("/api/groups?name=" + GROUP, apiToken);
        return items("list the groups", found).stream()
                .filter(group -> group.text("name", "").equals(GROUP))
                .findFirst()
                .orElseThrow(() -> AdminApi.refused("show the group of samples", found))
                .requiredText("id");
    }

    /** Returns the secret with which executors join the group. */
    String accessToken(Group group) throws InterruptedException {
        AdminApi.Answer answer = admin.get("/api/groups/%s/token".formatted(group.id()), apiToken);
        return body("show the token of the samples", answer, 200).requiredText("token");
    }

    Set<String> onlineExecutors(Group group) throws InterruptedException {
        AdminApi.Answer answer = admin.get("/api/executors?groupId=" + group.id(), apiToken);
        return items("list the executors", answer).stream()
                .filter(executor -> executor.text("status", "").equals("ONLINE"))
                .map(executor -> executor.requiredText("instanceId"))
                .collect(Collectors.toSet());
    }

    /** Creates the jobs and triggers one immediately, so that there is a log to look at. */
    void makeJobs(Group group) throws InterruptedException {
        Map<String, Object> byHand = Map.of("type", "NONE");
        String countdown = makeJob(
                group,
                "Countdown",
                Map.of("handler", "sample.countdown"),
                Map.of("type", "FIXED_RATE", "interval", "PT60S"));
        makeJob(group, "Always fails", Map.of("handler", "sample.failing"), byHand);
        makeJob(
                group,
                "Heartbeat",
                Map.of("handler", "sample.heartbeat"),
                Map.of("type", "CRON", "cron", "0/30 * * * * ?", "zone", "UTC"));
        makeJob(group, "Shell script", Map.of("glue", Map.of("type", "GLUE_SHELL", "source", SHELL)), byHand);
        makeJob(group, "Groovy", Map.of("glue", Map.of("type", "GLUE_GROOVY", "source", GROOVY)), byHand);
        AdminApi.Answer triggered = admin.post("/api/jobs/%s/trigger".formatted(countdown), apiToken, Map.of());
        if (triggered.status() / 100 != 2) {
            throw AdminApi.refused("run a sample job", triggered);
        }
    }

    /** Creates the pipeline that the sample executor works on, from its definition in the executor's jar. */
    void makePipeline(Path executorJar) throws InterruptedException {
        Optional<byte[]> definition = definitionIn(executorJar);
        if (definition.isPresent()) {
            AdminApi.Answer made = admin.putYaml("/api/pipelines/" + PIPELINE, apiToken, definition.get());
            if (made.status() / 100 != 2) {
                throw AdminApi.refused("make the sample pipeline", made);
            }
        }
    }

    private static Optional<byte[]> definitionIn(Path jar) {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            Path definition = inside.getPath(PIPELINE + ".yaml");
            return Files.exists(definition) ? Optional.of(Files.readAllBytes(definition)) : Optional.empty();
        } catch (IOException | ProviderNotFoundException e) {
            throw LauncherException.failed("%s cannot be read: %s.".formatted(jar, e.getMessage()));
        }
    }

    /** @param work the job's handler, or its source */
    private String makeJob(Group group, String name, Map<String, Object> work, Map<String, Object> schedule)
            throws InterruptedException {
        Map<String, Object> job = new HashMap<>(work);
        job.put("name", name);
        job.put("groupId", group.id());
        job.put("param", "");
        job.put("schedule", schedule);
        job.put("misfire", "FIRE_ONCE");
        job.put("enabled", true);
        return idOf("make the job '%s'".formatted(name), admin.post("/api/jobs", apiToken, job));
    }

    private static String idOf(String what, AdminApi.Answer made) {
        return body(what, made, 201).requiredText("id");
    }

    private static List<JsonObject> items(String what, AdminApi.Answer answer) {
        return body(what, answer, 200).objects("items");
    }

    private static JsonObject body(String what, AdminApi.Answer answer, int expected) {
        if (!answer.is(expected)) {
            throw AdminApi.refused(what, answer);
        }
        return answer.body().orElseThrow(() -> AdminApi.refused(what, answer));
    }
}
