package io.orth.admin.security;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Users. Once there is an enabled administrator, there is always one. */
@Component
public final class Users {

    /** Changes to a user; a null component is left unchanged. */
    public record Change(Role role, Boolean enabled, String password) {}

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

    private final UserRepository users;
    private final SessionRepository sessions;
    private final Passwords passwords;
    private final Transactions transactions;
    private final Clock clock;

    Users(
            UserRepository users,
            SessionRepository sessions,
            Passwords passwords,
            Transactions transactions,
            Clock clock) {
        this.users = users;
        this.sessions = sessions;
        this.passwords = passwords;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Lists users by id, above {@code after}. */
    public List<User> list(long after, int limit) {
        return users.list(after, limit);
    }

    public User create(String name, String password, Role role) {
        String accepted = checkName("name", name);
        if (role == null) {
            throw OrthException.invalid("role", "is missing");
        }
        String hash = passwords.hash(PasswordRules.check("password", password, accepted));
        return users.insert(accepted, hash, role, clock.instant())
                .orElseThrow(() -> OrthException.of(ErrorCode.CONFLICT, "there is already a user " + accepted));
    }

    /** Creates an administrator if there is no user at all. Returns empty if another call was first. */
    Optional<User> createFirst(String name, String password) {
        String accepted = checkName("user", name);
        String hash = passwords.hash(PasswordRules.check("password", password, accepted));
        return transactions.call(() -> {
            users.lockTable();
            return users.any() ? Optional.empty() : users.insert(accepted, hash, Role.ADMIN, clock.instant());
        });
    }

    /** Applies the change. Ends the user's sessions if the password or role changes or the user is disabled. */
    public User change(long id, Change change) {
        if (change.role() == null && change.enabled() == null && change.password() == null) {
            throw OrthException.of(ErrorCode.INVALID_INPUT, "nothing to change: give role, enabled or password");
        }
        Optional<String> hash = newHash(id, change.password());
        return transactions.call(() -> {
            List<Long> admins = users.lockActiveAdmins();
            User before = users.lock(id).orElseThrow(() -> OrthException.notFound("user", id));
            User after = changed(before, change);
            if (before.isActiveAdmin() && !after.isActiveAdmin() && admins.size() == 1) {
                throw OrthException.of(ErrorCode.CONFLICT, "%s is the last administrator".formatted(before.name()));
            }
            users.update(after, hash.orElse(null));
            if (hash.isPresent() || after.role() != before.role() || !after.enabled()) {
                sessions.deleteAllOf(id);
            }
            return after;
        });
    }

    /** Hashes the new password before the transaction, because hashing is slow. */
    private Optional<String> newHash(long id, String password) {
        if (password == null) {
            return Optional.empty();
        }
        User user = users.findCredentials(id)
                .orElseThrow(() -> OrthException.notFound("user", id))
                .user();
        return Optional.of(passwords.hash(PasswordRules.check("password", password, user.name())));
    }

    private static User changed(User before, Change change) {
        return new User(
                before.id(),
                before.name(),
                change.role() == null ? before.role() : change.role(),
                change.enabled() == null ? before.enabled() : change.enabled(),
                before.createdAt(),
                before.lastLoginAt());
    }

    /** Throws if {@link #createFirst} would reject the name or the password. */
    static void checkNew(String nameField, String name, String password) {
        PasswordRules.check("password", password, checkName(nameField, name));
    }

    /** Returns whether {@code text} is a valid user name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private static String checkName(String field, String name) {
        if (name == null) {
            throw OrthException.invalid(field, "is missing");
        }
        if (!isName(name)) {
            throw OrthException.invalid(
                    field, "must be 1 to 64 letters, digits or . _ @ - and start with a letter or digit");
        }
        return name;
    }
}
