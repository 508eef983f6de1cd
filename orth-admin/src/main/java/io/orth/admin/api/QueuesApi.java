package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports;
import io.orth.admin.queue.QueueReports.Figures;
import io.orth.admin.queue.Queues;
import io.orth.admin.registry.Groups;
import io.orth.admin.security.Access;
import io.orth.admin.security.Access.Audited;
import io.orth.admin.security.Role;
import io.orth.protocol.PushReply.Pushed;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for queues: statistics, settings, and pushing messages. */
@RestController
@RequestMapping("/api/queues")
class QueuesApi {

    private static final Duration LATELY = Duration.ofMinutes(5);
    private static final int MOST_LISTED = 500;
    private static final int USUAL_MINUTES = 60;
    private static final int MOST_MINUTES = 1_440;

    private final Queues queues;
    private final QueueReports reports;
    private final Groups groups;
    private final Clock clock;

    QueuesApi(Queues queues, QueueReports reports, Groups groups, Clock clock) {
        this.queues = queues;
        this.reports = reports;
        this.groups = groups;
        this.clock = clock;
    }

    /**
     * Result of pushing a message.
     *
     * @param id id of the message; if its unique key was taken, that of the message that holds the key
     * @param duplicate whether the message was not added because its unique key was taken
     */
    record PushedView(long id, boolean duplicate) {

        private static PushedView of(Pushed pushed) {
            return new PushedView(pushed.id(), pushed.duplicate());
        }
    }

    /** Activity from {@code from} until {@code to}. */
    record Throughput(Instant from, Instant to, List<QueueReports.Minute> items) {}

    record MessagesBody(List<MessageBody> messages) {}

    /** @param items one for each message, in order */
    record PushedList(List<PushedView> items) {}

    /** Lists queues by name, up to 500 unless {@code limit} is given; {@code q} is part of the name. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<QueueView> list(
            @RequestParam(required = false) String q,
            @RequestParam(required = false) String limit,
            @RequestParam(required = false) String after) {
        int most = limit == null ? MOST_LISTED : PageRequest.of(limit, null).limit();
        List<Queue> found = queues.list(Filters.text("q", q), Filters.text("after", after), most + 1);
        boolean more = found.size() > most;
        List<Queue> shown = more ? found.subList(0, most) : found;
        return new Page<>(views(shown), more ? shown.get(most - 1).name() : null);
    }

    @GetMapping("/{queue}")
    @Access(Role.VIEWER)
    QueueView get(@PathVariable String queue) {
        return view(queues.get(queue));
    }

    /** Changes the settings of a queue, and creates the queue if it does not exist. */
    @PutMapping("/{queue}")
    @Access(Role.OPERATOR)
    QueueView configure(@PathVariable String queue, @RequestBody QueueBody body, HttpServletRequest request) {
        AuditNote.about(request, "queue", queue, null);
        if (body.groupId() != null) {
            groups.get(Ids.parseInt("groupId", body.groupId()));
        }
        queues.open(queue);
        return view(queues.configure(queue, body.toSetup(queues.usual())));
    }

    /** Deletes a queue that has no messages and no dead letters. Finished messages stay in the history until their retention ends. */
    @DeleteMapping("/{queue}")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String queue, HttpServletRequest request) {
        AuditNote.about(request, "queue", queue, null);
        queues.delete(queue);
    }

    /** Returns the activity in each of the last minutes, without minutes that had none; 60 minutes by default. */
    @GetMapping("/{queue}/throughput")
    @Access(Role.VIEWER)
    Throughput throughput(@PathVariable String queue, @RequestParam(required = false) String minutes) {
        Queue known = queues.get(queue);
        Instant now = clock.instant();
        Instant from = now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(minutes(minutes) - 1L));
        return new Throughput(from, now, reports.byMinute(known, from, now));
    }

    private static int minutes(String text) {
        int minutes = text == null ? USUAL_MINUTES : Ids.parseInt("minutes", text);
        if (minutes < 1 || minutes > MOST_MINUTES) {
            throw OrthException.invalid("minutes", "must be a number from 1 to " + MOST_MINUTES);
        }
        return minutes;
    }

    /** Pauses a queue. Once this returns, no message of any priority is claimed; running messages finish. */
    @PostMapping("/{queue}/pause")
    @Access(Role.OPERATOR)
    QueueView pause(@PathVariable String queue, HttpServletRequest request) {
        AuditNote.about(request, "queue", queue, null);
        return view(queues.pause(queue));
    }

    @PostMapping("/{queue}/resume")
    @Access(Role.OPERATOR)
    QueueView resume(@PathVariable String queue, HttpServletRequest request) {
        AuditNote.about(request, "queue", queue, null);
        return view(queues.resume(queue));
    }

    /** Pushes a message, and creates the queue if it does not exist. Repeating the idempotency key within a day adds nothing. */
    @PostMapping("/{queue}/messages")
    @Access(value = Role.OPERATOR, audited = Audited.BY_PEOPLE)
    @ResponseStatus(HttpStatus.CREATED)
    PushedView push(
            @PathVariable String queue,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) String key,
            @RequestBody MessageBody body,
            HttpServletRequest request) {
        AuditNote.about(request, "queue", queue, null);
        Pushed pushed = queues.pushOnce(queue, IdempotencyKey.checked(key), List.of(body.toSpec(TraceId.of(request))))
                .get(0);
        AuditNote.about(request, "queue", queue, "message " + pushed.id());
        return PushedView.of(pushed);
    }

    /** Pushes up to 10,000 messages: all of them, or none if one is invalid. An idempotency key covers the whole call. */
    @PostMapping("/{queue}/messages/bulk")
    @Access(value = Role.OPERATOR, audited = Audited.BY_PEOPLE)
    @ResponseStatus(HttpStatus.CREATED)
    PushedList pushMany(
            @PathVariable String queue,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) String key,
            @RequestBody MessagesBody body,
            HttpServletRequest request) {
        List<MessageSpec> specs = specs(body, TraceId.of(request));
        AuditNote.about(request, "queue", queue, "%d messages".formatted(specs.size()));
        return new PushedList(queues.pushOnce(queue, IdempotencyKey.checked(key), specs).stream()
                .map(PushedView::of)
                .toList());
    }

    private static List<MessageSpec> specs(MessagesBody body, String traceId) {
        if (body.messages() == null || body.messages().isEmpty()) {
            throw OrthException.invalid("messages", "must not be empty");
        }
        return ProblemField.each("messages", body.messages(), message -> message.toSpec(traceId));
    }

    private QueueView view(Queue queue) {
        return views(List.of(queue)).get(0);
    }

    private List<QueueView> views(List<Queue> found) {
        Instant now = clock.instant();
        Map<Integer, Figures> figures = reports.figures(found, now, LATELY);
        Map<Integer, String> names = groups.names(
                found.stream().map(Queue::groupId).filter(Objects::nonNull).collect(Collectors.toSet()));
        return found.stream()
                .map(queue -> QueueView.of(
                        queue,
                        queue.groupId() == null ? null : names.get(queue.groupId()),
                        figures.get(queue.id()),
                        now))
                .toList();
    }
}
