package io.orth.admin.security;

/**
 * Who is calling. Controllers receive it as {@code @AuthenticationPrincipal Principal caller}.
 *
 * @param userId the user, or the user whose API token it is
 * @param name the user's name, for a token followed by a slash and the token's name
 */
public record Principal(long userId, String name, Role role, Kind kind) {

    public enum Kind {
        /** A person with a session. */
        USER,
        /** A program with an API token. */
        API_TOKEN
    }
}
