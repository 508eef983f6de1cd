package io.orth.admin.security;

import java.time.Instant;

/**
 * One call that changed something, or tried to.
 *
 * @param object what it was about; null if unknown
 * @param outcome the HTTP status; null while the call runs, or if the admin died during it
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
