package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.Outbox;
import io.orth.admin.pipeline.OutboxEntry;
import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for outbox entries that are pending or parked. */
@RestController
@RequestMapping("/api/outbox")
class OutboxApi {

    private static final String PARKED = "PARKED";
    private static final String PENDING = "PENDING";

    private final Outbox outbox;

    OutboxApi(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Pending or parked delivery of a task.
     *
     * @param jobId id of the task
     */
    record EntryView(@JsonUnwrapped OutboxEntry entry, long jobId, long rootJobId) {}

    /** @param all all parked entries, instead of {@code ids} */
    record RedriveBody(List<String> ids, Boolean all) {}

    /** @param redriven number of parked entries that are retried */
    record Redriven(int redriven) {}

    /** Lists entries, oldest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<EntryView> list(@RequestParam(required = false, defaultValue = PARKED) String state, PageRequest page) {
        if (!state.equals(PARKED) && !state.equals(PENDING)) {
            throw OrthException.invalid("state", "must be PARKED or PENDING");
        }
        return Page.of(
                outbox.list(state.equals(PARKED), page.after().orElse(0), page.rows()),
                page,
                OutboxEntry::id,
                entry -> new EntryView(entry, entry.taskId(), entry.rootId()));
    }

    /** Redrives parked entries. */
    @PostMapping("/redrive")
    @Access(Role.OPERATOR)
    Redriven redrive(
            @RequestBody RedriveBody body, @AuthenticationPrincipal Principal caller, HttpServletRequest request) {
        boolean all = body.all() != null && body.all();
        if (all == (body.ids() != null)) {
            throw OrthException.invalid("ids", "or all: true is to be given, and not both");
        }
        AuditNote.about(request, "outbox", all ? "all" : "some", null);
        int redriven = outbox.redrive(
                all
                        ? null
                        : body.ids().stream()
                                .map(id -> Ids.parseLong("ids", id == null ? "" : id))
                                .toList(),
                caller.name());
        AuditNote.about(request, "outbox", all ? "all" : "some", "%d redriven".formatted(redriven));
        return new Redriven(redriven);
    }
}
