package io.orth.admin.systemlog;

/** How much a line of the system log matters. */
public enum LogLevel {
    /** Something changed that is worth knowing later. */
    INFO,
    /** Something is wrong; the platform recovers by itself. */
    WARN,
    /** An operator has to act. */
    ERROR
}
