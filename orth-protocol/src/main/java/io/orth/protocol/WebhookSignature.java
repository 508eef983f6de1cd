package io.orth.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signature by which webhook receivers verify the sender: an HMAC of the body with a shared secret. */
public final class WebhookSignature {

    public static final String HEADER = "X-Orth-Signature";

    private static final String PREFIX = "sha256=";
    private static final String ALGORITHM = "HmacSHA256";

    private WebhookSignature() {}

    /** Returns the header's value for this body. */
    public static String of(String secret, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return PREFIX + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is part of every Java", e);
        }
    }

    /** Returns whether {@code header}, which may be null, signs this body. Takes constant time. */
    public static boolean signs(String header, String secret, byte[] body) {
        return header != null
                && MessageDigest.isEqual(
                        of(secret, body).getBytes(StandardCharsets.UTF_8), header.getBytes(StandardCharsets.UTF_8));
    }
}
