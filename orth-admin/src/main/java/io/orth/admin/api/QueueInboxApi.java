package io.orth.admin.api;

import io.orth.admin.queue.Inbox;
import io.orth.admin.queue.Inbox.Parked;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for parked pushes: pushes of applications' own transactions that could not be added to their queues. */
@RestController
@RequestMapping("/api/queue-inbox")
class QueueInboxApi {

    private final Inbox inbox;

    QueueInboxApi(Inbox inbox) {
        this.inbox = inbox;
    }

    /** Lists parked pushes, oldest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<Parked> list(PageRequest page) {
        return Page.of(inbox.parked(page.after().orElse(0), page.rows()), page, Parked::id);
    }

    /** Retries a parked push. If it fails again, it is parked again. */
    @PostMapping("/{id}/retry")
    @Access(Role.OPERATOR)
    Parked retry(@PathVariable String id, HttpServletRequest request) {
        AuditNote.about(request, "parked push", id, null);
        Parked parked = inbox.retry(Ids.parseLong("id", id));
        AuditNote.about(request, "parked push", id, "queue " + parked.queue());
        return parked;
    }

    /** Discards a parked push; its messages are never added. */
    @PostMapping("/{id}/discard")
    @Access(Role.OPERATOR)
    Parked discard(@PathVariable String id, HttpServletRequest request) {
        AuditNote.about(request, "parked push", id, null);
        Parked parked = inbox.discard(Ids.parseLong("id", id));
        AuditNote.about(request, "parked push", id, "queue " + parked.queue());
        return parked;
    }
}
