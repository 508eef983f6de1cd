package io.orth.admin.security;

import java.time.Instant;

/**
 * Audited call that changed something or attempted to.
 *
 * @param object the affected object; null if unknown
 * @param outcome HTTP status; null while the call runs, or if the admin died during it
 * @param detail null if there is none
 */
public record AuditEntry(
        long id,
        Instant at,
        String actor,
        String action,
        String object,
        Integer outcome,
        String address,
        String detail) {}
