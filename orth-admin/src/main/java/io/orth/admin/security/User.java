package io.orth.admin.security;

import java.time.Instant;

/**
 * Someone who may log in.
 *
 * @param lastLoginAt null before the first login
 */
public record User(long id, String name, Role role, boolean enabled, Instant createdAt, Instant lastLoginAt) {

    boolean isActiveAdmin() {
        return enabled && role == Role.ADMIN;
    }
}
