package io.orth.admin.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One-time code which proves that the person who sets up the admin can read its log. It expires after {@link #LIFETIME}; too many wrong
 * attempts replace it. Every new code is passed to {@code announce}.
 */
final class SetupCode {

    static final Duration LIFETIME = Duration.ofMinutes(15);
    private static final int WRONG_TRIES = 10;
    private static final int GROUPS = 3;
    private static final int GROUP_LENGTH = 4;

    private final Clock clock;
    private final Consumer<String> announce;
    /** Guarded by this, like the next two fields. */
    private String code;

    private Instant expiresAt;
    private int wrongTries;

    SetupCode(Clock clock, Consumer<String> announce) {
        this.clock = clock;
        this.announce = announce;
    }

    /** Ensures that there is a valid code. */
    synchronized void ensure() {
        if (code == null || !clock.instant().isBefore(expiresAt)) {
            renew();
        }
    }

    /** Returns whether {@code given} is the code, and if so uses it up. */
    synchronized boolean use(String given) {
        ensure();
        byte[] expected = code.getBytes(StandardCharsets.UTF_8);
        if (MessageDigest.isEqual(expected, plain(given).getBytes(StandardCharsets.UTF_8))) {
            code = null;
            return true;
        }
        wrongTries++;
        if (wrongTries >= WRONG_TRIES) {
            renew();
        }
        return false;
    }

    private void renew() {
        code = Secrets.code(GROUPS * GROUP_LENGTH);
        expiresAt = clock.instant().plus(LIFETIME);
        wrongTries = 0;
        announce.accept(code.replaceAll("(?<=\\G.{" + GROUP_LENGTH + "})(?!$)", "-"));
    }

    private static String plain(String given) {
        return given.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
    }
}
