package io.orth.admin.security;

import static io.orth.admin.security.SecurityFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsersDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private SecurityFixture security;

    @BeforeEach
    void setUp() {
        security = new SecurityFixture(db.dataSource());
    }

    @Test
    void treatsNamesCaseInsensitively() {
        security.user("Carol", Role.VIEWER);

        assertRejected(ErrorCode.CONFLICT, () -> security.user("cAROL", Role.VIEWER));
        assertThat(security.logins
                        .login("CAROL", PASSWORD, "10.0.0.1")
                        .principal()
                        .name())
                .isEqualTo("Carol");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\r\nb", "<b>x</b>", "-x", "Ünal", "a\u0000", "a'--"})
    void rejectsAmbiguousNames(String name) {
        assertRejected(ErrorCode.INVALID_INPUT, () -> security.user(name, Role.VIEWER));
    }

    @Test
    void rejectsNameOfSixtyFiveCharacters() {
        security.user("x".repeat(64), Role.VIEWER);

        assertRejected(ErrorCode.INVALID_INPUT, () -> security.user("x".repeat(65), Role.VIEWER));
    }

    @Test
    void neverStoresAPassword() {
        security.user("carol", Role.VIEWER);

        assertThat(security.jdbc
                        .sql("select orth_user::text from orth_user")
                        .query(String.class)
                        .single())
                .doesNotContain("horse");
    }

    @Test
    void keepsTheLastAdministrator() {
        User admin = security.user("admin", Role.ADMIN);
        User disabled = security.user("disabled", Role.ADMIN);
        security.users.change(disabled.id(), new Users.Change(null, false, null));

        assertRejected(
                ErrorCode.CONFLICT,
                () -> security.users.change(admin.id(), new Users.Change(Role.OPERATOR, null, null)));
        assertRejected(
                ErrorCode.CONFLICT, () -> security.users.change(admin.id(), new Users.Change(null, false, null)));
        assertThat(security.users.list(0, 10).get(0)).isEqualTo(admin);
    }

    @Test
    void keepsOneOfTwoAdministratorsDemotingEachOther() {
        List<User> admins = List.of(security.user("a", Role.ADMIN), security.user("b", Role.ADMIN));

        for (int round = 0; round < 10; round++) {
            long demoted = admins.parallelStream()
                    .filter(admin -> changes(admin.id(), new Users.Change(Role.VIEWER, null, null)))
                    .count();

            assertThat(demoted).isEqualTo(1);
            admins.forEach(admin -> changes(admin.id(), new Users.Change(Role.ADMIN, null, null)));
        }
    }

    @Test
    void endsSessionsOnRoleOrPasswordChangeAndDisabling() {
        security.user("admin", Role.ADMIN);
        User carol = security.user("carol", Role.VIEWER);

        for (Users.Change change : List.of(
                new Users.Change(Role.OPERATOR, null, null),
                new Users.Change(null, null, PASSWORD),
                new Users.Change(null, false, null))) {
            String first = security.login("carol").token();
            String second = security.login("carol").token();
            String others = security.login("admin").token();

            security.users.change(carol.id(), change);

            assertThat(security.sessions.find(first)).isEmpty();
            assertThat(security.sessions.find(second)).isEmpty();
            assertThat(security.sessions.find(others)).isPresent();
        }
    }

    @Test
    void keepsSessionsUnaffectedByTheChange() {
        User carol = security.user("carol", Role.VIEWER);
        String token = security.login("carol").token();

        security.users.change(carol.id(), new Users.Change(Role.VIEWER, true, null));

        assertThat(security.sessions.find(token)).isPresent();
    }

    @Test
    void rejectsEmptyChangeAndUnknownUser() {
        assertRejected(ErrorCode.INVALID_INPUT, () -> security.users.change(1, new Users.Change(null, null, null)));
        assertRejected(ErrorCode.NOT_FOUND, () -> security.users.change(1, new Users.Change(null, false, null)));
        assertRejected(ErrorCode.NOT_FOUND, () -> security.users.change(1, new Users.Change(null, null, PASSWORD)));
    }

    private boolean changes(long id, Users.Change change) {
        try {
            security.users.change(id, change);
            return true;
        } catch (OrthException e) {
            return false;
        }
    }

    private static void assertRejected(ErrorCode code, Runnable call) {
        assertThatExceptionOfType(OrthException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
