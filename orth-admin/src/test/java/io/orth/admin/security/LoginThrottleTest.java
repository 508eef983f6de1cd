package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final LoginThrottle throttle = new LoginThrottle(SecurityFeature.defaults(), clock);

    @Test
    void throttlesGuessingAtOneAccountFromManyAddresses() {
        for (int i = 1; i <= 5; i++) {
            throttle.admit("alice", "10.0.0." + i);
        }

        assertRejected("alice", "10.0.0.6");
        assertRejected("ALICE", "10.0.0.7");
    }

    @Test
    void throttlesAddressThatTriesManyAccounts() {
        for (int i = 1; i <= 20; i++) {
            throttle.admit("user" + i, "10.0.0.1");
        }

        assertRejected("user21", "10.0.0.1");
        assertThatCode(() -> throttle.admit("user21", "10.0.0.2")).doesNotThrowAnyException();
    }

    @Test
    void admitsOwnerFromKnownAddress() {
        throttle.admit("alice", "10.0.0.9");
        throttle.succeeded("alice", "10.0.0.9");
        for (int i = 1; i <= 5; i++) {
            throttle.admit("alice", "10.0.0." + i);
        }
        assertRejected("alice", "10.0.0.6");

        assertThatCode(() -> throttle.admit("alice", "10.0.0.9")).doesNotThrowAnyException();
    }

    @Test
    void resetsAfterSuccess() {
        for (int i = 1; i <= 4; i++) {
            throttle.admit("alice", "10.0.0.1");
        }
        throttle.succeeded("alice", "10.0.0.1");

        for (int i = 1; i <= 4; i++) {
            throttle.admit("alice", "10.0.0.1");
        }
    }

    @Test
    void treatsIpv6NetworkAsOneAddress() {
        assertThat(LoginThrottle.network("2001:db8:1:2:3:4:5:6")).isEqualTo(LoginThrottle.network("2001:db8:1:2::1"));
        assertThat(LoginThrottle.network("2001:db8:1:3::1")).isNotEqualTo(LoginThrottle.network("2001:db8:1:2::1"));
        assertThat(LoginThrottle.network("192.0.2.1")).isEqualTo("192.0.2.1");
    }

    private void assertRejected(String account, String address) {
        assertThatExceptionOfType(TooManyTriesException.class).isThrownBy(() -> throttle.admit(account, address));
    }
}
