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

/** Ends attempts at messages. An attempt that is killed has failed; whether another follows is as for any failure. */
@RestController
class MessageKillApi {

    /** So long after it was given out, an executor that does not have a message will not get it any more. */
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
     * What became of an attempt: it was {@code OVER} before, has {@code ENDED} now, or is {@code ENDING}.
     *
     * @param status where the message stands now
     * @param detail what is awaited
     */
    record KilledMessage(long id, End outcome, MessageStatus status, String detail) {}

    /** Ends the attempt that goes on; its executor is asked whether it has it. */
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

    /** An executor that does not have the attempt, and cannot get it any more, will never report it. */
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
