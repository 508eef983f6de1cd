package io.orth.admin.security;

import java.time.Instant;

/**
 * One call that changed something, or tried to.
 *
 * @param object what it was about; null where nobody said
 * @param outcome the HTTP status; null while under way, or where the admin died in it
 * @param detail more, in words; null where nobody said
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
