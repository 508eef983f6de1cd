package io.orth.admin.security;

import io.orth.admin.kernel.Transactions;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Duty at startup that ensures that an administrator can log in before the admin accepts calls. If a credentials file is configured, it
 * gets a valid token; otherwise, if there are no users, a setup code is logged.
 */
@Component
final class FirstStart implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(FirstStart.class);
    private static final String NAME = "admin";
    private static final int NAME_SUFFIX_BYTES = 3;

    private final Optional<CredentialsFile> file;
    private final UserRepository users;
    private final ApiTokens tokens;
    private final Setup setup;
    private final Passwords passwords;
    private final Transactions transactions;
    private final Clock clock;

    FirstStart(
            FirstStartProperties settings,
            UserRepository users,
            ApiTokens tokens,
            Setup setup,
            Passwords passwords,
            Transactions transactions,
            Clock clock) {
        this.file = settings.file().map(CredentialsFile::new);
        this.users = users;
        this.tokens = tokens;
        this.setup = setup;
        this.passwords = passwords;
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public void afterSingletonsInstantiated() {
        file.ifPresentOrElse(this::ensure, setup::isNeeded);
    }

    private void ensure(CredentialsFile target) {
        boolean valid = target.read()
                .flatMap(content -> tokens.find(content.apiToken()))
                .isPresent();
        if (valid) {
            return;
        }
        String password = Secrets.token();
        String hash = passwords.hash(password);
        User user = transactions.call(() -> create(target, password, hash));
        log.atInfo()
                .addKeyValue("user", user.name())
                .addKeyValue("file", target.path())
                .log("made an administrator and wrote the credentials");
    }

    /** Writes the file before the commit: if writing fails, no administrator with unknown credentials remains. */
    private User create(CredentialsFile target, String password, String hash) {
        users.lockTable();
        String name = users.any() ? NAME + "-" + Secrets.hex(NAME_SUFFIX_BYTES) : NAME;
        User user = users.insert(name, hash, Role.ADMIN, clock.instant())
                .orElseThrow(() -> new IllegalStateException("there is already a user " + name));
        ApiTokens.Issued token = tokens.issue(user.id(), new ApiTokens.Draft("credentials file", Role.ADMIN, null));
        target.write(new CredentialsFile.Content(user.name(), password, token.token()));
        return user;
    }
}
