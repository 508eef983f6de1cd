package io.orth.admin.registry;

/** Reason why a registration was rejected. */
public enum RejectionReason {
    WRONG_TOKEN,
    /** The token belongs to another group. */
    WRONG_GROUP,
    /** A host name, a path that is not allowed, or no valid address at all. */
    INVALID_ADDRESS,
    /** The address is neither the one the executor connects from nor in {@code orth.registry.allowed-networks}. */
    ADDRESS_NOT_ALLOWED,
    INVALID_REQUEST
}
