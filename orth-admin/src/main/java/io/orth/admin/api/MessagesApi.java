package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.DeadLetters;
import io.orth.admin.queue.Message;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReader;
import io.orth.admin.queue.Queues;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for the messages of a queue in every status. */
@RestController
@RequestMapping("/api/queues/{queue}/messages")
class MessagesApi {

    private static final int MOST_AT_ONCE = 1_000;

    private final Queues queues;
    private final QueueReader messages;
    private final DeadLetters deadLetters;

    MessagesApi(Queues queues, QueueReader messages, DeadLetters deadLetters) {
        this.queues = queues;
        this.messages = messages;
        this.deadLetters = deadLetters;
    }

    /** @param payload replaces the message's payload; the payload is unchanged if missing */
    record RetryMessageBody(String payload) {}

    record IdsBody(List<String> ids) {}

    /** @param count number of affected messages */
    record Count(int count) {}

    /** Lists messages of one status: waiting and running ones oldest first, others newest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<MessageView> list(
            @PathVariable String queue,
            @RequestParam(required = false, defaultValue = "WAITING") MessageStatus status,
            PageRequest page) {
        Queue known = queues.get(queue);
        List<Message> found = switch (status) {
            case WAITING, RUNNING -> messages.open(known, status, page.after().orElse(0), page.rows());
            case DONE, DISCARDED -> messages.ended(known, status, page.after().orElse(Long.MAX_VALUE), page.rows());
            case DEAD -> messages.dead(known, page.after().orElse(Long.MAX_VALUE), page.rows());
        };
        return Page.of(
                found,
                page,
                message ->
                        message.death() == null ? message.id() : message.death().no(),
                message -> MessageView.of(message, queue));
    }

    @GetMapping("/{id}")
    @Access(Role.VIEWER)
    MessageView get(@PathVariable String queue, @PathVariable String id) {
        return MessageView.of(messages.get(queues.get(queue), Ids.parseLong("id", id)), queue);
    }

    /** Retries a dead letter. */
    @PostMapping("/{id}/retry")
    @Access(Role.OPERATOR)
    MessageView retry(
            @PathVariable String queue,
            @PathVariable String id,
            @RequestBody(required = false) RetryMessageBody body,
            HttpServletRequest request) {
        Queue known = queues.get(queue);
        long message = Ids.parseLong("id", id);
        AuditNote.about(request, "message", id, body == null || body.payload() == null ? null : "another payload");
        if (!deadLetters.retry(known, message, body == null ? null : queues.checkedPayload(body.payload()))) {
            throw notDead(messages.get(known, message));
        }
        return MessageView.of(messages.get(known, message), queue);
    }

    /** Discards a waiting message or a dead letter. */
    @PostMapping("/{id}/discard")
    @Access(Role.OPERATOR)
    MessageView discard(@PathVariable String queue, @PathVariable String id, HttpServletRequest request) {
        Queue known = queues.get(queue);
        long message = Ids.parseLong("id", id);
        AuditNote.about(request, "message", id, null);
        boolean discarded = messages.get(known, message).status() == MessageStatus.WAITING
                ? queues.discard(known, List.of(message)).contains(message)
                : deadLetters.discard(known, List.of(message)).contains(message);
        if (!discarded) {
            throw notDead(messages.get(known, message));
        }
        return MessageView.of(messages.get(known, message), queue);
    }

    /** Retries those of these messages that are dead letters, up to 1,000. */
    @PostMapping("/retry")
    @Access(Role.OPERATOR)
    Count retryMany(@PathVariable String queue, @RequestBody IdsBody body, HttpServletRequest request) {
        List<Long> ids = ids(body);
        AuditNote.about(request, "queue", queue, "%d messages".formatted(ids.size()));
        return new Count(deadLetters.retry(queues.get(queue), ids).size());
    }

    /** Discards those of these messages that are dead letters, up to 1,000. */
    @PostMapping("/discard")
    @Access(Role.OPERATOR)
    Count discardMany(@PathVariable String queue, @RequestBody IdsBody body, HttpServletRequest request) {
        List<Long> ids = ids(body);
        AuditNote.about(request, "queue", queue, "%d messages".formatted(ids.size()));
        return new Count(deadLetters.discard(queues.get(queue), ids).size());
    }

    private static List<Long> ids(IdsBody body) {
        if (body.ids() == null || body.ids().isEmpty() || body.ids().size() > MOST_AT_ONCE) {
            throw OrthException.invalid("ids", "must be 1 to %d".formatted(MOST_AT_ONCE));
        }
        return Ids.parseLongs("ids", body.ids());
    }

    private static OrthException notDead(Message message) {
        return OrthException.of(ErrorCode.CONFLICT, "message %d is %s".formatted(message.id(), message.status()));
    }
}
