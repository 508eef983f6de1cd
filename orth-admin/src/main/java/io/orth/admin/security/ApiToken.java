package io.orth.admin.security;

import java.time.Instant;

/**
 * An API token, without the token itself.
 *
 * @param createdBy the name of the user it belongs to
 * @param expiresAt null for never
 * @param lastUsedAt null before the first use; up to a minute old
 */
public record ApiToken(
        long id, String name, Role role, String createdBy, Instant createdAt, Instant expiresAt, Instant lastUsedAt) {}
