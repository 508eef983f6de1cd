package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.AuditEntry;
import io.orth.admin.security.AuditLog;
import io.orth.admin.security.Role;
import java.time.Instant;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Who did what, newest first. */
@RestController
@RequestMapping("/api/audit")
final class AuditApi {

    record AuditView(
            String id,
            Instant at,
            String actor,
            String action,
            String object,
            Integer outcome,
            String address,
            String detail) {

        static AuditView of(AuditEntry entry) {
            return new AuditView(
                    Long.toString(entry.id()),
                    entry.at(),
                    entry.actor(),
                    entry.action(),
                    entry.object(),
                    entry.outcome(),
                    entry.address(),
                    entry.detail());
        }
    }

    private final AuditLog audit;

    AuditApi(AuditLog audit) {
        this.audit = audit;
    }

    @Access(Role.ADMIN)
    @GetMapping
    Page<AuditView> list(
            @RequestParam(required = false) String user, @RequestParam(required = false) String q, PageRequest page) {
        AuditLog.Query query = new AuditLog.Query(
                Filters.text("user", user), Filters.text("q", q), page.after().orElse(Long.MAX_VALUE), page.rows());
        return Page.of(audit.list(query), page, AuditEntry::id, AuditView::of);
    }
}
