package io.orth.admin.systemlog;

/** How much a line of the system log matters. */
public enum LogLevel {
    /** Something changed that is worth knowing later. */
    INFO,
    /** Something is not as it should be; the platform goes on and helps itself. */
    WARN,
    /** Somebody has to act. */
    ERROR
}
