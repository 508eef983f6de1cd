package io.orth.admin.security;

import static io.orth.admin.security.SecurityFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.kernel.OrthException;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionsDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private SecurityFixture security;

    @BeforeEach
    void setUp() {
        security = new SecurityFixture(db.dataSource());
        security.user("carol", Role.OPERATOR);
    }

    @Test
    void isValidOnEveryNode() {
        Sessions.Issued session = security.login("carol");
        SecurityFixture otherNode = new SecurityFixture(db.dataSource());

        assertThat(otherNode.sessions.find(session.token())).contains(session.principal());
    }

    @Test
    void storesOnlyAHashOfTheToken() {
        String token = security.login("carol").token();

        String row = security.jdbc
                .sql("select encode(token_hash, 'hex') || orth_session::text from orth_session")
                .query(String.class)
                .single();
        assertThat(row).doesNotContain(token);
        assertThat(security.sessions.find(row.substring(0, Secrets.TOKEN_LENGTH)))
                .isEmpty();
    }

    @Test
    void expiresAfterHalfAnHourIdle() {
        String token = security.login("carol").token();

        security.clock.advance(Duration.ofMinutes(30).minusMillis(1));
        assertThat(security.sessions.find(token)).isPresent();
        security.clock.advance(Duration.ofMinutes(30));
        assertThat(security.sessions.find(token)).isEmpty();
    }

    @Test
    void expiresAfterTwelveHoursDespiteActivity() {
        String token = security.login("carol").token();

        for (int minutes = 0; minutes < 12 * 60; minutes += 20) {
            assertThat(security.sessions.find(token)).isPresent();
            security.clock.advance(Duration.ofMinutes(20));
        }

        assertThat(security.sessions.find(token)).isEmpty();
    }

    @Test
    void storesLastUseOncePerMinute() {
        String token = security.login("carol").token();
        OffsetDateTime atLogin = lastSeen();

        security.clock.advance(Duration.ofSeconds(59));
        security.sessions.find(token);
        assertThat(lastSeen()).isEqualTo(atLogin);
        security.clock.advance(Duration.ofSeconds(1));
        security.sessions.find(token);

        assertThat(lastSeen()).isEqualTo(atLogin.plusMinutes(1));
    }

    @Test
    void prunesExpiredSessionsAtNextLogin() {
        security.login("carol");
        security.login("carol");
        security.clock.advance(Duration.ofMinutes(31));

        String token = security.login("carol").token();

        assertThat(count()).isEqualTo(1);
        assertThat(security.sessions.find(token)).isPresent();
    }

    @Test
    void rejectsInvalidTokens() {
        assertThat(security.sessions.find("")).isEmpty();
        assertThat(security.sessions.find("x".repeat(100_000))).isEmpty();
        assertThat(security.sessions.find("'; drop table orth_user; --")).isEmpty();
    }

    @Test
    void rejectsLoginOvertakenByPasswordChange() {
        UserRepository.Credentials verified =
                security.userRows.findCredentials("carol").orElseThrow();
        security.users.change(verified.user().id(), new Users.Change(null, null, "another good password"));

        assertThat(security.sessions.begin(verified)).isEmpty();
        assertThat(count()).isZero();
    }

    @Test
    void rejectsLoginWithoutReason() {
        security.users.change(security.user("gone", Role.VIEWER).id(), new Users.Change(null, false, null));

        for (String[] tried : new String[][] {
            {"carol", "wrong horse battery"}, {"nobody", PASSWORD}, {"gone", PASSWORD}, {"carol", "x".repeat(1_000_000)}
        }) {
            assertThatExceptionOfType(OrthException.class)
                    .isThrownBy(() -> security.logins.login(tried[0], tried[1], "10.0.0.1"))
                    .withMessage("wrong name or password");
        }
        assertThat(count()).isZero();
    }

    @Test
    void rehashesPasswordsOfOtherStrength() {
        String strong = new Passwords(5, 1).hash(PASSWORD);
        security.jdbc
                .sql("update orth_user set password_hash = ?")
                .param(strong)
                .update();

        String token = security.login("carol").token();

        assertThat(security.sessions.find(token)).isPresent();
        assertThat(security.userRows.findCredentials("carol").orElseThrow().hash())
                .startsWith("$2a$04$");
    }

    @Test
    void hashesOnlyFewOfAThousandGuesses() {
        int checked = 0;
        for (int i = 0; i < 1_000; i++) {
            try {
                security.logins.login("carol", "wrong horse battery", "10.0.0." + i % 250);
            } catch (OrthException e) {
                checked++;
            } catch (TooManyTriesException e) {
                assertThat(e.retryAfter()).isPositive();
            }
        }

        assertThat(checked).isEqualTo(5);
    }

    private OffsetDateTime lastSeen() {
        return security.jdbc
                .sql("select last_seen_at from orth_session")
                .query(OffsetDateTime.class)
                .single();
    }

    private int count() {
        return security.jdbc
                .sql("select count(*) from orth_session")
                .query(Integer.class)
                .single();
    }
}
