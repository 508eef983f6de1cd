package io.orth.admin.registry;

/** Why a registration was rejected. */
public enum RejectionReason {
    WRONG_TOKEN,
    /** The token is that of another group. */
    WRONG_GROUP,
    /** A host name, a path that is not allowed, or no address at all. */
    INVALID_ADDRESS,
    /** Neither the address the executor connects from nor one in {@code orth.registry.allowed-networks}. */
    ADDRESS_NOT_ALLOWED,
    INVALID_REQUEST
}
