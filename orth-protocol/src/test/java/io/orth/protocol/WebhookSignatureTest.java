package io.orth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookSignatureTest {

    /** The second example of RFC 4231, so that others' code can be compared. */
    private static final byte[] BODY = "what do ya want for nothing?".getBytes(UTF_8);

    private static final String SECRET = "Jefe";
    private static final String SIGNATURE = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

    @Test
    void isTheHmacOfTheBody() {
        assertThat(WebhookSignature.of(SECRET, BODY)).isEqualTo(SIGNATURE);
        assertThat(WebhookSignature.signs(SIGNATURE, SECRET, BODY)).isTrue();
    }

    @Test
    void rejectsEveryOtherSignature() {
        assertThat(WebhookSignature.signs(null, SECRET, BODY)).isFalse();
        for (String header : List.of(
                "",
                "sha256=",
                SIGNATURE.substring("sha256=".length()),
                SIGNATURE.replace("sha256", "sha1"),
                SIGNATURE.replace("3843", "3844"),
                SIGNATURE + "3")) {
            assertThat(WebhookSignature.signs(header, SECRET, BODY)).as(header).isFalse();
        }
    }

    @Test
    void anotherSecretOrAnotherBodyHasAnotherSignature() {
        assertThat(WebhookSignature.signs(SIGNATURE, "jefe", BODY)).isFalse();
        assertThat(WebhookSignature.signs(SIGNATURE, SECRET, "what do ya want for nothing".getBytes(UTF_8)))
                .isFalse();
        assertThat(WebhookSignature.signs(WebhookSignature.of("ключ", BODY), "ключ", BODY))
                .isTrue();
    }
}
