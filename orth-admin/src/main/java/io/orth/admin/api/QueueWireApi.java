package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.Queues;
import io.orth.admin.queue.WorkDesk;
import io.orth.admin.registry.Executor;
import io.orth.admin.registry.ExecutorStatus;
import io.orth.admin.security.Access;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.NewMessage;
import io.orth.protocol.PushReply;
import io.orth.protocol.PushRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WorkRequest;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where executors work on queues and put messages into them. */
@Hidden
@RestController
class QueueWireApi {

    private final ExecutorWire wire;
    private final WorkDesk desk;
    private final Queues queues;

    QueueWireApi(ExecutorWire wire, WorkDesk desk, Queues queues) {
        this.wire = wire;
        this.desk = desk;
        this.queues = queues;
    }

    /** Answered after the results are committed, and when there are messages or the executor has waited long enough. */
    @PostMapping(AdminPaths.QUEUE_WORK)
    @Access.ExecutorToken
    CompletableFuture<ResponseEntity<byte[]>> work(HttpServletRequest request) {
        return wire.answerLater(request, (group, body) -> {
            WorkRequest work = WorkRequest.from(Json.readObject(body));
            Executor executor = wire.executorOf(group, work.instanceId());
            boolean online = executor.status() == ExecutorStatus.ONLINE;
            if (!online && work.slots() > 0) {
                throw new WireFormatException("instance %s is not registered".formatted(work.instanceId()));
            }
            return desk.work(group, executor.id(), online && !executor.draining(), work)
                    .thenApply(Reply::lean);
        });
    }

    /** Answered after the messages are committed. */
    @PostMapping(AdminPaths.QUEUE_PUSH)
    @Access.ExecutorToken
    ResponseEntity<byte[]> push(HttpServletRequest request) throws IOException {
        return wire.answer(request, (group, body) -> {
            PushRequest push = PushRequest.from(Json.readObject(body));
            List<MessageSpec> specs = new ArrayList<>(push.messages().size());
            for (int i = 0; i < push.messages().size(); i++) {
                specs.add(spec(i, push.messages().get(i)));
            }
            return Reply.lean(new PushReply(queues.push(push.queue(), specs)));
        });
    }

    /** What is wrong with one of many says which. */
    private static MessageSpec spec(int index, NewMessage message) {
        try {
            return MessageSpec.of(message);
        } catch (OrthException e) {
            throw new WireFormatException("messages[%d]: %s".formatted(index, e.getMessage()), e);
        }
    }
}
