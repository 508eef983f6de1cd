package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
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

    private static final int LONGEST_FILTER = 200;

    private final AuditLog audit;

    AuditApi(AuditLog audit) {
        this.audit = audit;
    }

    @Access(Role.ADMIN)
    @GetMapping
    Page<AuditView> list(
            @RequestParam(required = false) String user, @RequestParam(required = false) String q, PageRequest page) {
        AuditLog.Query query = new AuditLog.Query(
                filter("user", user), filter("q", q), page.after().orElse(Long.MAX_VALUE), page.rows());
        return Page.of(audit.list(query), page, AuditEntry::id, AuditView::of);
    }

    private static String filter(String field, String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        if (text.length() > LONGEST_FILTER || text.indexOf('\0') >= 0) {
            throw OrthException.invalid(field, "must have at most %d characters".formatted(LONGEST_FILTER));
        }
        return text;
    }
}
