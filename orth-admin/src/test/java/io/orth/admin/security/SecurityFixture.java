package io.orth.admin.security;

import io.orth.admin.kernel.Transactions;
import io.orth.testkit.ManualClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The feature put together by hand, as one node has it, with a clock that stands still. */
final class SecurityFixture {

    static final String PASSWORD = "correct horse battery";
    private static final int WEAK_BUT_QUICK = 4;

    final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    final List<String> codes = new ArrayList<>();
    final JdbcClient jdbc;
    final UserRepository userRows;
    final SessionRepository sessionRows;
    final Users users;
    final Sessions sessions;
    final Logins logins;
    final ApiTokens tokens;
    final Setup setup;
    private final Passwords passwords;
    private final Transactions transactions;

    SecurityFixture(DataSource dataSource) {
        SecurityProperties settings = SecurityFeature.defaults();
        jdbc = JdbcClient.create(dataSource);
        transactions = new Transactions(new TransactionTemplate(new JdbcTransactionManager(dataSource)));
        passwords = new Passwords(WEAK_BUT_QUICK, 2);
        userRows = new UserRepository(jdbc);
        sessionRows = new SessionRepository(jdbc);
        users = new Users(userRows, sessionRows, passwords, transactions, clock);
        sessions = new Sessions(sessionRows, settings, clock);
        LoginThrottle throttle = new LoginThrottle(settings, clock);
        logins = new Logins(userRows, sessionRows, sessions, passwords, throttle, transactions, clock);
        tokens = new ApiTokens(new ApiTokenRepository(jdbc), clock);
        setup = new Setup(userRows, users, new SetupCode(clock, codes::add), throttle);
    }

    /** {@code file} null for none. */
    FirstStart firstStart(Path file) {
        return new FirstStart(new FirstStartProperties(file), userRows, tokens, setup, passwords, transactions, clock);
    }

    User user(String name, Role role) {
        return users.create(name, PASSWORD, role);
    }

    Sessions.Issued login(String name) {
        return logins.login(name, PASSWORD, "10.0.0.1");
    }

    List<String> names() {
        return userRows.list(0, 100).stream().map(User::name).toList();
    }
}
