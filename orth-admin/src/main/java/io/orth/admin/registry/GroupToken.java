package io.orth.admin.registry;

import io.orth.admin.kernel.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** Secret of an executor group. {@link #toString} omits it, so that it never appears in logs. */
final class GroupToken {

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String text;

    GroupToken(String text) {
        this.text = text;
    }

    static GroupToken generate() {
        byte[] secret = new byte[BYTES];
        RANDOM.nextBytes(secret);
        return new GroupToken("orthg_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    String text() {
        return text;
    }

    byte[] hash() {
        return Sha256.of(text);
    }

    @Override
    public String toString() {
        return "a group's token";
    }
}
