package io.orth.admin.api;

import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.Operation;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.deadletter.Operations;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.Queues;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for bulk operations on dead letters, and for purging queues. */
@RestController
@RequestMapping("/api")
class OperationsApi {

    private final Operations operations;
    private final Queues queues;

    OperationsApi(Operations operations, Queues queues) {
        this.operations = operations;
        this.queues = queues;
    }

    /** @param count number of dead letters that would be affected */
    record DryRun(long count) {}

    /** @param confirm the queue's name, repeated */
    record PurgeBody(String confirm) {}

    /** Starts a bulk operation and responds with 202; a dry run responds with 200 and the number of affected dead letters. */
    @PostMapping("/operations")
    @Access(Role.OPERATOR)
    ResponseEntity<Object> begin(
            @RequestBody OperationBody body, @AuthenticationPrincipal Principal caller, HttpServletRequest request) {
        body.check();
        String reason = KillApi.reason(body.reason());
        List<Long> numbers = body.ids() == null ? null : body.numbers();
        DeadLetterFilter filter = numbers == null ? body.wanted(queues) : null;
        if (body.isDryRun()) {
            AuditNote.about(request, "dead letters", body.action(), "dry run");
            return ResponseEntity.ok(
                    new DryRun(numbers == null ? operations.count(filter) : operations.count(numbers)));
        }
        Operation begun = numbers == null
                ? operations.begin(body.action().toAction(), filter, caller.name(), reason)
                : operations.begin(body.action().toAction(), numbers, caller.name(), reason);
        note(request, begun);
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(view(begun));
    }

    /**
     * Discards all messages that were pushed before the call and are waiting, including delayed ones. Running messages are not affected.
     */
    @PostMapping("/queues/{queue}/purge")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.ACCEPTED)
    OperationView purge(
            @PathVariable String queue,
            @RequestBody PurgeBody body,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request) {
        AuditNote.about(request, "queue", queue, null);
        Queue known = queues.get(queue);
        if (!known.name().equals(body.confirm())) {
            throw OrthException.invalid("confirm", "must be the name of the queue");
        }
        Operation begun = operations.beginPurge(known.id(), caller.name());
        AuditNote.about(
                request,
                "queue",
                queue,
                "operation %d, %d messages"
                        .formatted(begun.id(), begun.progress().total()));
        return view(begun);
    }

    /** Lists bulk operations, newest first. */
    @GetMapping("/operations")
    @Access(Role.VIEWER)
    Page<OperationView> list(@RequestParam(required = false) Status status, PageRequest page) {
        List<Operation> found = operations.list(status, page.after().orElse(Long.MAX_VALUE), page.rows());
        Map<Integer, String> names = namesOf(found);
        return Page.of(found, page, Operation::id, operation -> OperationView.of(operation, names));
    }

    @GetMapping("/operations/{id}")
    @Access(Role.VIEWER)
    OperationView get(@PathVariable String id) {
        return view(operations.get(Ids.parseLong("id", id)));
    }

    @PostMapping("/operations/{id}/pause")
    @Access(Role.OPERATOR)
    OperationView pause(@PathVariable String id, HttpServletRequest request) {
        AuditNote.about(request, "operation", id, null);
        return view(operations.pause(Ids.parseLong("id", id)));
    }

    @PostMapping("/operations/{id}/resume")
    @Access(Role.OPERATOR)
    OperationView resume(@PathVariable String id, HttpServletRequest request) {
        AuditNote.about(request, "operation", id, null);
        return view(operations.resume(Ids.parseLong("id", id)));
    }

    /** Cancels a bulk operation. Items that were already processed stay as they are. */
    @PostMapping("/operations/{id}/abort")
    @Access(Role.OPERATOR)
    OperationView abort(
            @PathVariable String id, @AuthenticationPrincipal Principal caller, HttpServletRequest request) {
        AuditNote.about(request, "operation", id, null);
        Operation aborted = operations.abort(Ids.parseLong("id", id), caller.name());
        note(request, aborted);
        return view(aborted);
    }

    private static void note(HttpServletRequest request, Operation operation) {
        AuditNote.about(
                request,
                "operation",
                operation.id(),
                "%s, %d of %d done%s"
                        .formatted(
                                operation.action(),
                                operation.progress().done(),
                                operation.progress().total(),
                                operation.reason().isEmpty() ? "" : ": " + operation.reason()));
    }

    private OperationView view(Operation operation) {
        return OperationView.of(operation, namesOf(List.of(operation)));
    }

    private Map<Integer, String> namesOf(List<Operation> found) {
        return queues.names(found.stream()
                .map(operation -> operation.filter().queueId())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
    }
}
