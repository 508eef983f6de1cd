package io.orth.admin.security;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;

/** Creation of the first administrator by a caller who has the setup code. */
public final class Setup {

    private static final int LONGEST_CODE = 64;

    private final UserRepository users;
    private final Users accounts;
    private final SetupCode code;
    private final LoginThrottle throttle;
    /** Users are never deleted, so this never becomes false again. */
    private volatile boolean done;

    Setup(UserRepository users, Users accounts, SetupCode code, LoginThrottle throttle) {
        this.users = users;
        this.accounts = accounts;
        this.code = code;
        this.throttle = throttle;
    }

    /** Returns whether there is no user yet. If so, a valid setup code has been logged by this node. */
    public boolean isNeeded() {
        if (!done && users.any()) {
            done = true;
        }
        if (!done) {
            code.ensure();
        }
        return !done;
    }

    /** Creates the first administrator. A rejected name or password does not use up the code. */
    public User complete(String given, String name, String password, String address) {
        throttle.admit(address);
        if (!isNeeded()) {
            throw alreadyDone();
        }
        if (given == null || given.length() > LONGEST_CODE) {
            throw OrthException.invalid("code", given == null ? "is missing" : "is not the set-up code");
        }
        Users.checkNew("user", name, password);
        if (!code.use(given)) {
            throw OrthException.of(ErrorCode.NOT_ALLOWED, "that is not the set-up code; the valid one is in the log");
        }
        User first = accounts.createFirst(name, password).orElseThrow(Setup::alreadyDone);
        throttle.succeeded(address);
        return first;
    }

    private static OrthException alreadyDone() {
        return OrthException.of(ErrorCode.CONFLICT, "the first administrator already exists");
    }
}
