package io.orth.admin.security;

import io.orth.admin.kernel.Sha256;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.springframework.stereotype.Component;

/** Makes random secrets, and the hashes under which they are stored. */
@Component
final class Secrets {

    private static final int TOKEN_BYTES = 32;
    /** Length of {@link #token()}: 256 bits, six to a character. */
    static final int TOKEN_LENGTH = 43;
    /** No I, L, O, U, 0 and 1: a code is read from a log and typed by hand. */
    private static final String CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";

    private final SecureRandom random = new SecureRandom();

    /** 256 random bits in URL-safe text. */
    String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** {@code length} letters and digits that are hard to confuse, about 4.9 bits each. */
    String code(int length) {
        StringBuilder code = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            code.append(CODE_LETTERS.charAt(random.nextInt(CODE_LETTERS.length())));
        }
        return code.toString();
    }

    String hex(int bytes) {
        byte[] some = new byte[bytes];
        random.nextBytes(some);
        return HexFormat.of().formatHex(some);
    }

    static boolean looksLikeToken(String text) {
        return text.length() == TOKEN_LENGTH;
    }

    /** A plain hash suffices for what has 256 random bits: there is nothing to guess. */
    static byte[] sha256(String secret) {
        return Sha256.of(secret);
    }
}
