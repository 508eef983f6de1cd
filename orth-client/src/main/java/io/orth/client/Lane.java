package io.orth.client;

/** Priority of a message. Due messages of a higher priority are claimed before those of a lower one. */
public enum Lane {
    CRITICAL,
    HIGH,
    DEFAULT,
    LOW
}
