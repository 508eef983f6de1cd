package io.orth.admin.registry;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** A group's secret: shown on purpose only, never in logs. */
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
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "a group's token";
    }
}
