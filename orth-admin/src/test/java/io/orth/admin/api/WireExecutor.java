package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.pipeline.TaskResult;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Registration;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskOutcome;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** An executor of its own group, as an admin hears of it: by requests. */
final class WireExecutor implements AutoCloseable {

    private final AdminServer.Running admin;
    private final String instance = UUID.randomUUID().toString();
    private final String group;
    private final String address;
    private final String token;

    /** @param address where it says it can be asked */
    WireExecutor(AdminServer admin, String address) {
        this(admin.running(), address);
    }

    WireExecutor(AdminServer.Running admin, String address) {
        this(admin, address, "g-" + UUID.randomUUID(), null);
    }

    /** Another one of the same group. */
    WireExecutor another(String itsAddress) {
        return new WireExecutor(admin, itsAddress, group, token);
    }

    private WireExecutor(AdminServer.Running admin, String address, String group, String token) {
        this.admin = admin;
        this.address = address;
        this.group = group;
        this.token = token == null ? tokenOfANewGroup() : token;
        admin.executor(this.token).post("/api/registry", text(registration()));
    }

    private String tokenOfANewGroup() {
        SecuredClient api = admin.api();
        String id = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(group))
                .json()
                .path("id")
                .asString();
        return api.get("/api/groups/%s/token".formatted(id))
                .json()
                .path("token")
                .asString();
    }

    private Registration registration() {
        return new Registration(group, address, new Registration.Instance(instance, "host", 7, "test", true));
    }

    /** Leaves in good order. */
    @Override
    public void close() {
        admin.executor(token).post("/api/registryRemove", text(registration()));
    }

    /** A message that carries a task, and its queue. */
    record Begun(String queue, ClaimedMessage message) {

        ClaimedTask task() {
            return message.task();
        }

        long taskId() {
            return task().taskId();
        }

        int attempt() {
            return task().attempt();
        }
    }

    /** Waits for a message of the stage, by its usual queue. */
    Begun begin(String pipeline, String stage) {
        String queue = "pipeline.%s.%s".formatted(pipeline, stage);
        return new Begun(queue, claim(queue, 20_000).get(0));
    }

    /** Waits for messages of a queue for up to that long. */
    List<ClaimedMessage> claim(String queue, int waitMillis) {
        return WorkReply.from(say(
                        "/api/orth/queues/work",
                        new WorkRequest(
                                instance, queue, 0, UUID.randomUUID().toString(), 0, 0, 1, 0, waitMillis, List.of())))
                .messages();
    }

    void step(Begun task, String payload) {
        say(
                "/api/orth/tasks/steps",
                new TaskSteps(
                        instance,
                        List.of(new TaskSteps.Item(task.taskId(), task.message().logId(), payload))));
    }

    void content(Begun task, String ref, long size) {
        say(
                "/api/orth/tasks/content",
                new TaskContent(
                        instance,
                        List.of(new TaskContent.Item(
                                task.taskId(), task.message().logId(), ref, size, null))));
    }

    void finish(Begun task, TaskChild... children) {
        finish(task, TaskResult.ok(task.taskId(), task.attempt(), "{}", List.of(children), 3));
    }

    void fail(Begun task, TaskResult.Outcome how) {
        finish(
                task,
                new TaskResult(
                        task.taskId(),
                        task.attempt(),
                        how,
                        null,
                        List.of(),
                        new TaskOutcome.Problem("NO_LUCK", "it did not work", null),
                        null,
                        3));
    }

    private void finish(Begun task, TaskResult result) {
        MessageResult reported = result.of(task.message().id(), task.message().logId());
        say(
                "/api/orth/queues/work",
                new WorkRequest(
                        instance, task.queue(), 0, UUID.randomUUID().toString(), 0, 0, 0, 0, 0, List.of(reported)));
    }

    private JsonObject say(String path, WireMessage message) {
        Answer answer = admin.executor(token).post(path, text(message));
        JsonObject json = Json.readObject(answer.body().getBytes(StandardCharsets.UTF_8));
        assertThat(json.integer("code", 0)).as(answer.body()).isEqualTo(200);
        return json.object("content").orElseThrow();
    }

    private static String text(WireMessage message) {
        return new String(Json.write(message), StandardCharsets.UTF_8);
    }
}
