package io.orth.admin.api;

import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.Queues;
import io.orth.admin.queue.WorkDesk;
import io.orth.admin.registry.Executor;
import io.orth.admin.security.Access;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.NewMessage;
import io.orth.protocol.PushReply;
import io.orth.protocol.PushRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeIn;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints where executors process queues and push messages. */
@RestController
@SecurityScheme(
        name = QueueWireApi.TOKEN,
        description = "the token of an executor group",
        type = SecuritySchemeType.APIKEY,
        in = SecuritySchemeIn.HEADER,
        paramName = Headers.ACCESS_TOKEN)
class QueueWireApi {

    /** Name of the security scheme. */
    static final String TOKEN = "groupToken";

    /**
     * Response to executors, always with HTTP 200.
     *
     * @param code 200, or 500 if the request was rejected
     * @param msg reason of the rejection
     */
    record WorkAnswer(int code, String msg, WorkReply content) {}

    /** Response to a push. */
    record PushAnswer(int code, String msg, PushReply content) {}

    private final ExecutorWire wire;
    private final WorkDesk desk;
    private final Queues queues;
    private final InstallationGuard installation;

    QueueWireApi(ExecutorWire wire, WorkDesk desk, Queues queues, InstallationGuard installation) {
        this.installation = installation;
        this.wire = wire;
        this.desk = desk;
        this.queues = queues;
    }

    /** Responds after the results are committed, and once there are messages or the long poll has expired. */
    @PostMapping(AdminPaths.QUEUE_WORK)
    @Access.ExecutorToken
    @Operation(
            summary = "Complete messages and claim more",
            description = "A claim without results, results without a claim (slots 0), or both in one step.",
            security = @SecurityRequirement(name = TOKEN),
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = WorkRequest.class))))
    @ApiResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = WorkAnswer.class)))
    ResponseEntity<byte[]> work(HttpServletRequest request) {
        return wire.answerLater(request, (group, body) -> {
            WorkRequest work = WorkRequest.from(Json.readObject(body));
            Executor executor = wire.executorOf(group, work.instanceId());
            boolean online = !executor.status().isGone();
            if (!online && work.slots() > 0) {
                throw new WireFormatException("instance %s is not registered".formatted(work.instanceId()));
            }
            boolean takesWork = online && !executor.draining() && !installation.isPaused();
            return desk.work(group, executor.id(), takesWork, work).thenApply(Reply::lean);
        });
    }

    /** Responds after the messages are committed. */
    @PostMapping(AdminPaths.QUEUE_PUSH)
    @Access.ExecutorToken
    @Operation(
            summary = "Push messages",
            description = "The same idempotency key again, within a day, adds nothing and gets the first reply again.",
            security = @SecurityRequirement(name = TOKEN),
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = PushRequest.class))))
    @ApiResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = PushAnswer.class)))
    ResponseEntity<byte[]> push(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            PushRequest push = PushRequest.from(Json.readObject(body));
            List<MessageSpec> specs = new ArrayList<>(push.messages().size());
            for (int i = 0; i < push.messages().size(); i++) {
                specs.add(spec(i, push.messages().get(i)));
            }
            String key = IdempotencyKey.checked("idempotencyKey", push.idempotencyKey());
            return Reply.lean(new PushReply(queues.pushOnce(push.queue(), key, specs)));
        });
    }

    /** Converts a message. An error names its index. */
    private static MessageSpec spec(int index, NewMessage message) {
        try {
            return MessageSpec.of(message);
        } catch (OrthException e) {
            throw new WireFormatException("messages[%d]: %s".formatted(index, e.getMessage()), e);
        }
    }
}
