package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRulesTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "short",
                "elevenchars",
                "password1234",
                "Password!2345",
                "adminadmin1!",
                "Administrator1",
                "changeme2026!",
                "123456789012",
                "default_token",
                "aaaaaaaaaaaaaaaa",
                "abababababab",
                "Carol-2026-2026"
            })
    void rejects(String password) {
        assertThatExceptionOfType(OrthException.class)
                .isThrownBy(() -> PasswordRules.check("password", password, "carol"))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT);
                    assertThat(e.fields()).singleElement().satisfies(field -> {
                        assertThat(field.field()).isEqualTo("password");
                        assertThat(password == null
                                        || password.isEmpty()
                                        || !field.message().contains(password))
                                .isTrue();
                    });
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"correct horse battery", "twelve chars", "密码密码密码需要十二个字符呢", "p4ssw0rd is not a word"})
    void accepts(String password) {
        assertThat(PasswordRules.check("password", password, "carol")).isEqualTo(password);
    }

    @Test
    void countsCharactersNotBytes() {
        String emoji = "\uD83D\uDE00";

        assertThat(PasswordRules.check("password", "smile" + emoji.repeat(123), "carol"))
                .hasSize(5 + 2 * 123);
        assertThatExceptionOfType(OrthException.class)
                .isThrownBy(() -> PasswordRules.check("password", "smile" + emoji.repeat(124), "carol"));
    }

    @Test
    void rejectsMegabytePasswordImmediately() {
        assertThatExceptionOfType(OrthException.class)
                .isThrownBy(() -> PasswordRules.check("password", "x".repeat(1_000_000), "carol"))
                .withMessage("password must have at most 128 characters");
    }
}
