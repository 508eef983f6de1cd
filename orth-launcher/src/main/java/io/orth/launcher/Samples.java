package io.orth.launcher;

import io.orth.protocol.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The sample group, its executors and its jobs, as requests to the admin. */
final class Samples {

    static final String GROUP = "samples";

    /**
     * The group of samples.
     *
     * @param fresh whether this start made it
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

    /** The secret with which executors join the group. */
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

    /** Makes the jobs, and runs one at once so that there is a log to look at. */
    void makeJobs(Group group) throws InterruptedException {
        String countdown =
                makeJob(group, "Countdown", "sample.countdown", Map.of("type", "FIXED_RATE", "interval", "PT60S"));
        makeJob(group, "Always fails", "sample.failing", Map.of("type", "NONE"));
        makeJob(
                group,
                "Heartbeat",
                "sample.heartbeat",
                Map.of("type", "CRON", "cron", "0/30 * * * * ?", "zone", "UTC"));
        AdminApi.Answer triggered = admin.post("/api/jobs/%s/trigger".formatted(countdown), apiToken, Map.of());
        if (triggered.status() / 100 != 2) {
            throw AdminApi.refused("run a sample job", triggered);
        }
    }

    private String makeJob(Group group, String name, String handler, Map<String, String> schedule)
            throws InterruptedException {
        Map<String, Object> job = Map.of(
                "name",
                name,
                "groupId",
                group.id(),
                "handler",
                handler,
                "param",
                "",
                "schedule",
                schedule,
                "misfire",
                "FIRE_ONCE",
                "enabled",
                true);
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
