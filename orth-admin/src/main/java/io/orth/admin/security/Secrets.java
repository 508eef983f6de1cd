package io.orth.admin.security;

import io.orth.admin.kernel.Sha256;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Random secrets, and the hashes under which they are stored. */
final class Secrets {

    private static final int TOKEN_BYTES = 32;
    /** Length of {@link #token()}: 256 bits, six per character. */
    static final int TOKEN_LENGTH = 43;
    /** Excludes I, L, O, U, 0 and 1, because a code is read from a log and typed by hand. */
    private static final String CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";

    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    /** Returns 256 random bits as URL-safe text. */
    static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns {@code length} letters and digits that are hard to confuse, about 4.9 bits each. */
    static String code(int length) {
        StringBuilder code = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            code.append(CODE_LETTERS.charAt(RANDOM.nextInt(CODE_LETTERS.length())));
        }
        return code.toString();
    }

    static String hex(int bytes) {
        byte[] some = new byte[bytes];
        RANDOM.nextBytes(some);
        return HexFormat.of().formatHex(some);
    }

    static boolean looksLikeToken(String text) {
        return text.length() == TOKEN_LENGTH;
    }

    /** Hashes a secret. A plain hash suffices for 256 random bits, which cannot be guessed. */
    static byte[] sha256(String secret) {
        return Sha256.of(secret);
    }
}
