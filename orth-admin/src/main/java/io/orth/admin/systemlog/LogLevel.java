package io.orth.admin.systemlog;

/** Severity of a line of the system log. */
public enum LogLevel {
    /** An event that is worth knowing later. */
    INFO,
    /** A problem from which the platform recovers by itself. */
    WARN,
    /** A problem that requires an operator to act. */
    ERROR
}
