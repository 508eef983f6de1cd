package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PasswordsTest {

    private static final int WEAK_BUT_QUICK = 4;

    private final Passwords passwords = new Passwords(WEAK_BUT_QUICK, 1);

    @Test
    void matchesOnlyTheRightPassword() {
        String hash = passwords.hash("correct horse battery");

        assertThat(passwords.matches("correct horse battery", hash)).isTrue();
        assertThat(passwords.matches("correct horse batterY", hash)).isFalse();
        assertThat(hash).doesNotContain("horse");
    }

    @Test
    void saltsEveryHash() {
        assertThat(passwords.hash("correct horse battery")).isNotEqualTo(passwords.hash("correct horse battery"));
    }

    @Test
    void comparesBeyondBcryptsSeventyTwoBytes() {
        String hash = passwords.hash("x".repeat(100) + "1");

        assertThat(passwords.matches("x".repeat(100) + "2", hash)).isFalse();
        assertThat(passwords.matches("x".repeat(100) + "1", hash)).isTrue();
    }

    @Test
    void normalizesComposedAndDecomposedLetters() {
        String hash = passwords.hash("Zürich im Frühling");

        assertThat(passwords.matches("Zu\u0308rich im Fru\u0308hling", hash)).isTrue();
    }

    @Test
    void noticesAHashOfAnotherStrength() {
        Passwords stronger = new Passwords(WEAK_BUT_QUICK + 1, 1);

        assertThat(passwords.areOfThisStrength(passwords.hash("correct horse battery")))
                .isTrue();
        assertThat(passwords.areOfThisStrength(stronger.hash("correct horse battery")))
                .isFalse();
    }
}
