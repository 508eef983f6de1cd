package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.Message;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.queue.QueueReader;
import io.orth.admin.queue.Queues;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.triggering.RunLogs;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What handlers wrote about messages: each attempt has a log of its own. */
@RestController
class MessageLogApi {

    private final Queues queues;
    private final QueueReader messages;
    private final RunLogs logs;

    MessageLogApi(Queues queues, QueueReader messages, RunLogs logs) {
        this.queues = queues;
        this.messages = messages;
        this.logs = logs;
    }

    /** At most {@code limit} bytes from byte {@code from} on, never cut inside a character; of the last attempt unless another is named. */
    @GetMapping("/api/queues/{queue}/messages/{id}/log")
    @Access(Role.VIEWER)
    AttemptLog read(
            @PathVariable String queue,
            @PathVariable String id,
            @RequestParam(required = false) String logId,
            @RequestParam(defaultValue = "0") String from,
            @RequestParam(defaultValue = "65536") String limit)
            throws InterruptedException {
        int piece = RunLogApi.piece(limit);
        long offset = Ids.parseLong("from", from);
        Message message = messages.get(queues.get(queue), Ids.parseLong("id", id));
        Message.Attempt attempt = attempt(message, Ids.parseOptionalLong("logId", logId));
        boolean goesOn = message.logId() != null
                && message.logId() == attempt.logId()
                && message.status() == MessageStatus.RUNNING;
        LogRange range = logs.read(
                attempt.executorId(),
                new LogRangeRequest(attempt.logId(), attempt.startedAt().toEpochMilli(), offset, piece));
        return AttemptLog.of(attempt.logId(), range, goesOn, logs.zone(attempt.executorId()));
    }

    private static Message.Attempt attempt(Message message, Long logId) {
        List<Message.Attempt> attempts = message.attempts();
        if (attempts.isEmpty()) {
            throw OrthException.notFound("attempt at message", message.id());
        }
        return logId == null
                ? attempts.get(attempts.size() - 1)
                : attempts.stream()
                        .filter(attempt -> attempt.logId() == logId)
                        .findFirst()
                        .orElseThrow(() -> OrthException.notFound("log", logId));
    }
}
