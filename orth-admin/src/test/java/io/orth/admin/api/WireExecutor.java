package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.BegunTask;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Registration;
import io.orth.protocol.TaskBegin;
import io.orth.protocol.TaskBeginReply;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskFinish;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskResult;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** An executor of a group of its own that does a pipeline's tasks over the wire, one at a time, when a test says so. */
final class WireExecutor {

    private final AdminServer admin;
    private final String pipeline;
    private final String group = "g-" + UUID.randomUUID();
    private final String instance = UUID.randomUUID().toString();
    private final String token;

    private WireExecutor(AdminServer admin, String pipeline) {
        this.admin = admin;
        this.pipeline = pipeline;
        String id = admin.api()
                .post("/api/groups", "{\"name\":\"%s\"}".formatted(group))
                .json()
                .path("id")
                .asString();
        this.token = admin.api()
                .get("/api/groups/%s/token".formatted(id))
                .json()
                .path("token")
                .asString();
    }

    /** One that has registered. */
    static WireExecutor of(AdminServer admin, String pipeline) {
        WireExecutor executor = new WireExecutor(admin, pipeline);
        admin.executor(executor.token).post("/api/registry", text(executor.registration()));
        return executor;
    }

    void leave() {
        admin.executor(token).post("/api/registryRemove", text(registration()));
    }

    /** Waits for a message of the stage and begins with its task. */
    BegunTask begin(String stage) {
        String queue = "pipeline.%s.%s".formatted(pipeline, stage);
        WorkReply reply = WorkReply.from(call(
                "/api/orth/queues/work",
                new WorkRequest(instance, queue, 0, UUID.randomUUID().toString(), 1, 0, 20_000, List.of())));
        ClaimedMessage message = reply.messages().get(0);
        JsonObject payload = Json.readObject(message.payload().getBytes(StandardCharsets.UTF_8));
        TaskKey key =
                new TaskKey(payload.requiredNumber("taskId"), payload.requiredInteger("attempt"), message.logId());
        return TaskBeginReply.from(call("/api/orth/tasks/begin", new TaskBegin(instance, List.of(key))))
                .tasks()
                .get(0);
    }

    void step(BegunTask task, String step) {
        call(
                "/api/orth/tasks/steps",
                new TaskSteps(instance, List.of(new TaskSteps.Item(task.taskId(), task.attempt(), step))));
    }

    void content(BegunTask task, String ref) {
        call(
                "/api/orth/tasks/content",
                new TaskContent(
                        instance, List.of(new TaskContent.Item(task.taskId(), task.attempt(), ref, 100, null))));
    }

    void finish(BegunTask task, TaskChild... children) {
        finish(TaskResult.ok(task.taskId(), task.attempt(), "{}", List.of(children), 3));
    }

    /** As no further attempt would mend it. */
    void fail(BegunTask task) {
        finish(new TaskResult(
                task.taskId(),
                task.attempt(),
                TaskResult.Outcome.PERMANENT,
                null,
                List.of(),
                new TaskResult.Problem("NO_LUCK", "it did not work", "because"),
                null,
                5));
    }

    private void finish(TaskResult result) {
        call("/api/orth/tasks/finish", new TaskFinish(instance, List.of(result)));
    }

    private Registration registration() {
        return new Registration(
                group, "http://127.0.0.1:9999/", new Registration.Instance(instance, "host", 7, "test", true));
    }

    private JsonObject call(String address, WireMessage message) {
        Answer answer = admin.executor(token).post(address, text(message));
        JsonObject json = Json.readObject(answer.body().getBytes(StandardCharsets.UTF_8));
        assertThat(json.integer("code", 0)).as(answer.body()).isEqualTo(200);
        return json.object("content").orElseThrow();
    }

    private static String text(WireMessage message) {
        return new String(Json.write(message), StandardCharsets.UTF_8);
    }
}
