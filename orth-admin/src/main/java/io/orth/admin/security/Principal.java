package io.orth.admin.security;

/**
 * Authenticated caller. Controllers receive it as {@code @AuthenticationPrincipal Principal caller}.
 *
 * @param userId the user, or the user who owns the API token
 * @param name name of the user; for an API token followed by a slash and the name of the token
 */
public record Principal(long userId, String name, Role role, Kind kind) {

    public enum Kind {
        /** Person with a session. */
        USER,
        /** Program with an API token. */
        API_TOKEN
    }
}
