package io.orth.admin.security;

/** What a caller may do; each role may do all that the ones before it may. */
public enum Role {
    /** Looks at everything that is not secret. */
    VIEWER,
    /** Runs, changes and stops jobs. */
    OPERATOR,
    /** Manages users, tokens and settings, and reads the audit log. */
    ADMIN;

    public boolean isAtLeast(Role needed) {
        return compareTo(needed) >= 0;
    }

    Role cappedBy(Role most) {
        return isAtLeast(most) ? most : this;
    }
}
