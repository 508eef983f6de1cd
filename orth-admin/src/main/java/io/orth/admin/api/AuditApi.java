package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.AuditEntry;
import io.orth.admin.security.AuditLog;
import io.orth.admin.security.Role;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint for the audit log, newest first. */
@RestController
@RequestMapping("/api/audit")
final class AuditApi {

    private final AuditLog audit;

    AuditApi(AuditLog audit) {
        this.audit = audit;
    }

    @Access(Role.ADMIN)
    @GetMapping
    Page<AuditEntry> list(
            @RequestParam(required = false) String user, @RequestParam(required = false) String q, PageRequest page) {
        AuditLog.Query query = new AuditLog.Query(
                Filters.text("user", user), Filters.text("q", q), page.after().orElse(Long.MAX_VALUE), page.rows());
        return Page.of(audit.list(query), page, AuditEntry::id);
    }
}
