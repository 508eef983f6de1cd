package io.orth.admin.security;

import java.time.Instant;

/**
 * Description of an API token, without the token itself.
 *
 * @param createdBy name of the user who owns the token
 * @param expiresAt null if the token does not expire
 * @param lastUsedAt null before the first use; up to a minute old
 */
public record ApiToken(
        long id, String name, Role role, String createdBy, Instant createdAt, Instant expiresAt, Instant lastUsedAt) {}
