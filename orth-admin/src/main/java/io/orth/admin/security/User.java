package io.orth.admin.security;

import java.time.Instant;

/**
 * Person with a login.
 *
 * @param lastLoginAt null before the first login
 */
public record User(long id, String name, Role role, boolean enabled, Instant createdAt, Instant lastLoginAt) {

    boolean isActiveAdmin() {
        return enabled && role == Role.ADMIN;
    }
}
