package io.orth.admin.security;

/** Role of a caller. Each role includes the rights of the preceding ones. */
public enum Role {
    /** Can see everything that is not secret. */
    VIEWER,
    /** Can run, change and stop jobs. */
    OPERATOR,
    /** Can manage users, tokens and settings, and read the audit log. */
    ADMIN;

    public boolean isAtLeast(Role needed) {
        return compareTo(needed) >= 0;
    }

    Role cappedBy(Role most) {
        return isAtLeast(most) ? most : this;
    }
}
