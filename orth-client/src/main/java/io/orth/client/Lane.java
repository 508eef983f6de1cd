package io.orth.client;

/** How urgent a message is. All messages of a lane that are due come before those of the next. */
public enum Lane {
    CRITICAL,
    HIGH,
    DEFAULT,
    LOW
}
