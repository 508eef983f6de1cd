package io.orth.admin.api;

import io.orth.admin.queue.Message;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReader;
import io.orth.admin.queue.Queues;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.admin.triggering.AttemptKiller;
import io.orth.admin.triggering.RunKiller.End;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint that kills attempts at messages. A killed attempt has failed; whether another one follows is decided as for any failure. */
@RestController
class MessageKillApi {

    /** Time after a claim from which a message that its executor does not have can no longer reach it. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

    private final Queues queues;
    private final QueueReader messages;
    private final AttemptKiller killer;
    private final SystemLog log;
    private final Clock clock;

    MessageKillApi(Queues queues, QueueReader messages, AttemptKiller killer, SystemLog log, Clock clock) {
        this.queues = queues;
        this.messages = messages;
        this.killer = killer;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Outcome for an attempt: {@code OVER} if it had finished before, {@code ENDED} if it has ended now, {@code ENDING} if it is ending.
     *
     * @param status current status of the message
     * @param detail explanation of the outcome
     */
    record KilledMessage(long id, End outcome, MessageStatus status, String detail) {}

    /** Kills the current attempt. Its executor reports whether it has the attempt. */
    @PostMapping("/api/queues/{queue}/messages/{id}/kill")
    @Access(Role.OPERATOR)
    KilledMessage kill(
            @PathVariable String queue,
            @PathVariable String id,
            @RequestBody(required = false) KillApi.KillBody body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request)
            throws InterruptedException {
        String reason = KillApi.reason(body == null ? null : body.reason());
        AuditNote.about(request, "message", id, reason);
        Queue known = queues.get(queue);
        Message message = messages.get(known, Ids.parseLong("id", id));
        if (message.status() != MessageStatus.RUNNING) {
            return killed(message, End.OVER, "no attempt at it goes on");
        }
        String words = "killed by " + caller.name() + (reason.isEmpty() ? "" : ": " + reason);
        String detail = tell(known, message, words);
        Message after = messages.get(known, message.id());
        boolean ended = after.status() != MessageStatus.RUNNING || after.attempt() != message.attempt();
        KilledMessage answer = killed(after, ended ? End.ENDED : End.ENDING, detail);
        AuditNote.about(request, "message", id, answer.outcome() + (reason.isEmpty() ? "" : ": " + reason));
        log.publish(LogLevel.WARN, "message %s of queue %s is %s".formatted(id, queue, words), null, queue);
        return answer;
    }

    /**
     * Sends the kill and fails the attempt if its executor does not have it and can no longer get it: the executor would never report it.
     */
    private String tell(Queue queue, Message message, String words) throws InterruptedException {
        AttemptKiller.Response response = killer.kill(message.executorId(), message.logId(), words);
        return switch (response.told()) {
            case ENDING -> "its executor is ending it";
            case REPORTING -> "its executor has finished it; its result is on its way";
            case FINISHED -> {
                queues.finish(queue, message, response.known());
                yield "its executor had finished it";
            }
            case UNKNOWN ->
                isFresh(message) ? "it may be on its way to its executor; ask again" : failed(queue, message, words);
            case GONE -> failed(queue, message, words);
        };
    }

    private boolean isFresh(Message message) {
        return message.times().claimedAt().plus(ON_ITS_WAY).isAfter(clock.instant());
    }

    private String failed(Queue queue, Message message, String words) {
        queues.fail(queue, message, words);
        return "its executor does not have it";
    }

    private static KilledMessage killed(Message message, End outcome, String detail) {
        return new KilledMessage(message.id(), outcome, message.status(), detail);
    }
}
