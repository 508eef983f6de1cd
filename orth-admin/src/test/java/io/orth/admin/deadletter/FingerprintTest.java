package io.orth.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-queues")
class FingerprintTest {

    private static final String STACK =
            "\tat java.base/java.lang.Thread.run(Thread.java:1)\n\tat com.acme.Mailer.send(Mailer.java:7)\n\tat com.acme.Main.go(Main.java:3)";

    @Test
    void ignoresPartsThatDifferEachTime() {
        assertThat(Fingerprint.of("order 17 of 'ann' (0a1b2c3d4e5f) failed", STACK))
                .isEqualTo(Fingerprint.of("order 4711 of 'bob' (ffffffffffff0) failed", STACK.replace(":7)", ":8)")));
        assertThat(Fingerprint.of("no row 123e4567-e89b-12d3-a456-426614174000", null))
                .isEqualTo(Fingerprint.of("no row 00000000-0000-0000-0000-000000000000", null));
    }

    @Test
    @Tag("must-first")
    void groupsErrorsThatDifferInHexadecimalNumbers() {
        String print = Fingerprint.of("not a JPEG: bad magic 0x7e46, expected 0xFFD8", STACK);

        assertThat(Fingerprint.of("not a JPEG: bad magic 0xbeef, expected 0xFFD8", STACK))
                .isEqualTo(print);
        assertThat(Fingerprint.of("not a JPEG: bad magic 0X00ab12cd34ef, expected 0xFFD8", STACK))
                .isEqualTo(print);
        assertThat(Fingerprint.of("not a PNG: bad magic 0x7e46, expected 0xFFD8", STACK))
                .isNotEqualTo(print);
    }

    @Test
    void distinguishesErrorsAndStackFrames() {
        String print = Fingerprint.of("order failed", STACK);

        assertThat(Fingerprint.of("invoice failed", STACK)).isNotEqualTo(print);
        assertThat(Fingerprint.of("order failed", STACK.replace("Mailer", "Printer")))
                .isNotEqualTo(print);
        assertThat(Fingerprint.of("order failed", null)).isNotEqualTo(print);
    }

    @Test
    void usesTopStackFrameOfApplication() {
        assertThat(Fingerprint.of("order failed", STACK))
                .isEqualTo(Fingerprint.of("order failed", "\tat com.acme.Mailer.send(Mailer.java:9)"));
    }
}
