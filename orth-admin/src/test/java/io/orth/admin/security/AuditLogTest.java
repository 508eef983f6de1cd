package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AuditLogTest {

    @Test
    void keepsTextOnOneLine() {
        assertThat(AuditLog.oneLine("a\r\nb\tc\u0000d\u001b[31m\u2028e", 100))
                .isEqualTo("a\\r\\nb\\u0009c\\u0000d\\u001b[31m\\u2028e");
    }

    @Test
    void cutsLongTextBetweenCharacters() {
        assertThat(AuditLog.oneLine("\uD83D\uDE00".repeat(10), 3)).isEqualTo("\uD83D\uDE00".repeat(3) + "…");
        assertThat(AuditLog.oneLine("abc", 3)).isEqualTo("abc");
    }

    @Test
    void writesBrokenSurrogatesAsEscapes() {
        assertThat(AuditLog.oneLine("a\uD83Db", 100)).isEqualTo("a\\ud83db");
    }

    @Test
    void keepsNull() {
        assertThat(AuditLog.oneLine(null, 100)).isNull();
    }
}
