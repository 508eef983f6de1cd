package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ApiTokensDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private SecurityFixture security;
    private Principal admin;
    private Principal carol;

    @BeforeEach
    void setUp() {
        security = new SecurityFixture(db.dataSource());
        security.user("admin", Role.ADMIN);
        security.user("carol", Role.OPERATOR);
        admin = security.login("admin").principal();
        carol = security.login("carol").principal();
    }

    @Test
    void authenticatesAsOwnerWithTokenName() {
        String token = issue(carol, Role.VIEWER, null);

        assertThat(token).matches("orth_[A-Za-z0-9_-]{43}");
        assertThat(security.tokens.find(token))
                .contains(new Principal(carol.userId(), "carol/ci", Role.VIEWER, Principal.Kind.API_TOKEN));
        assertThat(security.jdbc
                        .sql("select orth_api_token::text from orth_api_token")
                        .query(String.class)
                        .single())
                .doesNotContain(token.substring(ApiTokens.PREFIX.length()));
    }

    @Test
    void endsAtItsExpiry() {
        String token = issue(carol, Role.VIEWER, security.clock.instant().plus(Duration.ofDays(1)));

        security.clock.advance(Duration.ofDays(1).minusMillis(1));
        assertThat(security.tokens.find(token)).isPresent();
        security.clock.advance(Duration.ofMillis(1));
        assertThat(security.tokens.find(token)).isEmpty();
    }

    @Test
    void neverOutranksItsOwner() {
        String token = issue(carol, Role.OPERATOR, null);

        security.users.change(carol.userId(), new Users.Change(Role.VIEWER, null, null));
        assertThat(security.tokens.find(token).orElseThrow().role()).isEqualTo(Role.VIEWER);
        security.users.change(carol.userId(), new Users.Change(Role.ADMIN, null, null));
        assertThat(security.tokens.find(token).orElseThrow().role()).isEqualTo(Role.OPERATOR);
        security.users.change(carol.userId(), new Users.Change(null, false, null));
        assertThat(security.tokens.find(token)).isEmpty();
    }

    @Test
    void storesLastUseOncePerMinute() {
        String token = issue(carol, Role.VIEWER, null);

        security.tokens.find(token);
        Instant firstUse = security.clock.instant();
        security.clock.advance(Duration.ofSeconds(59));
        security.tokens.find(token);
        assertThat(security.tokens.list(carol, 0, 10).get(0).lastUsedAt()).isEqualTo(firstUse);
        security.clock.advance(Duration.ofSeconds(1));
        security.tokens.find(token);

        assertThat(security.tokens.list(carol, 0, 10).get(0).lastUsedAt()).isEqualTo(security.clock.instant());
    }

    @Test
    void isSeenAndRevokedByItsOwnerAndAdministratorsOnly() {
        String token = issue(admin, Role.ADMIN, null);
        long id = security.tokens.list(admin, 0, 10).get(0).id();

        assertThat(security.tokens.list(carol, 0, 10)).isEmpty();
        assertRejected(ErrorCode.NOT_FOUND, () -> security.tokens.revoke(carol, id));
        assertThat(security.tokens.find(token)).isPresent();
        security.tokens.revoke(admin, id);

        assertThat(security.tokens.find(token)).isEmpty();
        assertThat(security.tokens.list(admin, 0, 10)).isEmpty();
        assertRejected(ErrorCode.NOT_FOUND, () -> security.tokens.revoke(admin, id));
    }

    @Test
    void rejectsRightsAboveTheCreators() {
        Principal asViewer =
                security.tokens.find(issue(carol, Role.VIEWER, null)).orElseThrow();

        assertRejected(ErrorCode.NOT_ALLOWED, () -> issue(carol, Role.ADMIN, null));
        assertRejected(ErrorCode.NOT_ALLOWED, () -> issue(asViewer, Role.VIEWER, null));
    }

    @Test
    void rejectsInvalidNameRoleOrExpiry() {
        assertRejected(ErrorCode.INVALID_INPUT, () -> issue(carol, Role.VIEWER, security.clock.instant()));
        assertRejected(ErrorCode.INVALID_INPUT, () -> issue(carol, null, null));
        for (String name : new String[] {null, "", " ", "a\r\nb", "x".repeat(65)}) {
            assertRejected(
                    ErrorCode.INVALID_INPUT,
                    () -> security.tokens.create(carol, new ApiTokens.Draft(name, Role.VIEWER, null)));
        }
    }

    @Test
    void limitsTokensPerUser() {
        for (int i = 0; i < 100; i++) {
            issue(carol, Role.VIEWER, null);
        }

        assertRejected(ErrorCode.CONFLICT, () -> issue(carol, Role.VIEWER, null));
        assertThat(issue(admin, Role.VIEWER, null)).isNotEmpty();
    }

    private String issue(Principal maker, Role role, Instant expiresAt) {
        return security.tokens
                .create(maker, new ApiTokens.Draft("ci", role, expiresAt))
                .token();
    }

    private static void assertRejected(ErrorCode code, Runnable call) {
        assertThatExceptionOfType(OrthException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
