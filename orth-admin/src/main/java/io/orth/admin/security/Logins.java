package io.orth.admin.security;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.time.Clock;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Login by name and password, and password changes. */
@Component
public final class Logins {

    /** Stands for every name that no user can have. */
    private static final String NO_ACCOUNT = "";

    private final UserRepository users;
    private final SessionRepository sessionRows;
    private final Sessions sessions;
    private final Passwords passwords;
    private final LoginThrottle throttle;
    private final Transactions transactions;
    private final Clock clock;

    Logins(
            UserRepository users,
            SessionRepository sessionRows,
            Sessions sessions,
            Passwords passwords,
            LoginThrottle throttle,
            Transactions transactions,
            Clock clock) {
        this.users = users;
        this.sessionRows = sessionRows;
        this.sessions = sessions;
        this.passwords = passwords;
        this.throttle = throttle;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Starts a session. A rejection does not reveal whether the name, the password or the account was the reason. */
    public Sessions.Issued login(String name, String password, String address) {
        String account = Users.isName(name) ? name : NO_ACCOUNT;
        throttle.admit(account, address);
        Sessions.Issued session = verified(users.findCredentials(account), password)
                .map(known -> upToStrength(known, password))
                .flatMap(this::begin)
                .orElseThrow(Logins::refused);
        throttle.succeeded(account, address);
        return session;
    }

    /** Changes the caller's own password. Ends all sessions of the user and returns a new one. */
    public Sessions.Issued changePassword(Principal caller, String current, String next, String address) {
        throttle.admit(caller.name(), address);
        UserRepository.Credentials before = verified(users.findCredentials(caller.userId()), current)
                .orElseThrow(() -> OrthException.invalid("current", "is not the current password"));
        throttle.succeeded(caller.name(), address);
        String accepted = PasswordRules.check("next", next, caller.name());
        if (accepted.equals(Passwords.normalized(current))) {
            throw OrthException.invalid("next", "must differ from the current password");
        }
        String hash = passwords.hash(accepted);
        return transactions
                .call(() -> replace(before, hash))
                .orElseThrow(() -> OrthException.of(ErrorCode.CONFLICT, "the password was changed in the meantime"));
    }

    private Optional<Sessions.Issued> replace(UserRepository.Credentials before, String hash) {
        User user = before.user();
        if (!users.replaceHash(user.id(), before.hash(), hash)) {
            return Optional.empty();
        }
        sessionRows.deleteAllOf(user.id());
        return sessions.begin(new UserRepository.Credentials(user, hash));
    }

    private Optional<Sessions.Issued> begin(UserRepository.Credentials credentials) {
        Optional<Sessions.Issued> session = sessions.begin(credentials);
        session.ifPresent(begun -> users.loggedIn(begun.principal().userId(), clock.instant()));
        return session;
    }

    /** Verifies a password, with the same cost whether or not the user exists. A password that exceeds every valid length is not hashed. */
    private Optional<UserRepository.Credentials> verified(
            Optional<UserRepository.Credentials> credentials, String password) {
        if (password.length() > 4 * Passwords.LONGEST) {
            return Optional.empty();
        }
        if (credentials.isEmpty()) {
            passwords.spendTimeOn(password);
            return Optional.empty();
        }
        return credentials
                .filter(known -> passwords.matches(password, known.hash()))
                .filter(known -> known.user().enabled());
    }

    /** Rehashes a password that was hashed with another strength, so that checking takes the same time for every user. */
    private UserRepository.Credentials upToStrength(UserRepository.Credentials known, String password) {
        if (passwords.areOfThisStrength(known.hash())) {
            return known;
        }
        String hash = passwords.hash(password);
        users.replaceHash(known.user().id(), known.hash(), hash);
        return new UserRepository.Credentials(known.user(), hash);
    }

    private static OrthException refused() {
        return OrthException.of(ErrorCode.NOT_AUTHENTICATED, "wrong name or password");
    }
}
