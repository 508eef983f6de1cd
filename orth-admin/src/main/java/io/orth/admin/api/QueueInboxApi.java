package io.orth.admin.api;

import io.orth.admin.queue.Inbox;
import io.orth.admin.queue.Inbox.Parked;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pushes of applications' own transactions that could not be put into their queues. */
@RestController
@RequestMapping("/api/queue-inbox")
class QueueInboxApi {

    private final Inbox inbox;

    QueueInboxApi(Inbox inbox) {
        this.inbox = inbox;
    }

    /**
     * A push that could not be.
     *
     * @param error why
     * @param messages the first 2,000 characters of what was to be pushed, a JSON array
     */
    record ParkedView(String id, String queue, Instant createdAt, Instant parkedAt, String error, String messages) {

        private static ParkedView of(Parked parked) {
            return new ParkedView(
                    Long.toString(parked.id()),
                    parked.queue(),
                    parked.createdAt(),
                    parked.parkedAt(),
                    parked.error(),
                    parked.messages());
        }
    }

    /** The oldest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<ParkedView> list(PageRequest page) {
        return Page.of(inbox.parked(page.after().orElse(0), page.rows()), page, Parked::id, ParkedView::of);
    }

    /** Tries again; what still cannot be pushed is parked again. */
    @PostMapping("/{id}/retry")
    @Access(Role.OPERATOR)
    ParkedView retry(@PathVariable String id, HttpServletRequest request) {
        AuditNote.about(request, "parked push", id, null);
        Parked parked = inbox.retry(Ids.parseLong("id", id));
        AuditNote.about(request, "parked push", id, "queue " + parked.queue());
        return ParkedView.of(parked);
    }

    /** Throws it away; its messages are never pushed. */
    @PostMapping("/{id}/discard")
    @Access(Role.OPERATOR)
    ParkedView discard(@PathVariable String id, HttpServletRequest request) {
        AuditNote.about(request, "parked push", id, null);
        Parked parked = inbox.discard(Ids.parseLong("id", id));
        AuditNote.about(request, "parked push", id, "queue " + parked.queue());
        return ParkedView.of(parked);
    }
}
