package io.orth.executor.internal.transport;

import io.netty.handler.codec.http.HttpHeaders;
import io.orth.protocol.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The token required of callers, compared in constant time. */
final class AccessToken {

    private final byte[] expected;

    AccessToken(String expected) {
        this.expected = expected.getBytes(StandardCharsets.UTF_8);
    }

    boolean isShownIn(HttpHeaders headers) {
        return matches(headers.get(Headers.ACCESS_TOKEN)) || matches(headers.get(Headers.XXL_ACCESS_TOKEN));
    }

    private boolean matches(String shown) {
        return shown != null && MessageDigest.isEqual(expected, shown.getBytes(StandardCharsets.UTF_8));
    }
}
