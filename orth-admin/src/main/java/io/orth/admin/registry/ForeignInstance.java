package io.orth.admin.registry;

import io.orth.protocol.Registration;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Instance id of executors that do not report one. It is derived from group and address, so every admin computes the same id, and a restart
 * at the same address, which cannot be detected, changes nothing.
 */
final class ForeignInstance {

    /** Prefix that Orth executors must not use in their instance ids. */
    static final String PREFIX = "xxl-";

    private static final long NO_PID = 0;
    private static final String NO_VERSION = "";

    private ForeignInstance() {}

    static String id(int group, String address) {
        byte[] name = "%d %s".formatted(group, address).getBytes(StandardCharsets.UTF_8);
        return PREFIX + UUID.nameUUIDFromBytes(name);
    }

    /** Returns the instance data of such an executor; {@code address} must be in canonical form. */
    static Registration.Instance at(int group, String address) {
        return new Registration.Instance(id(group, address), URI.create(address).getHost(), NO_PID, NO_VERSION, true);
    }
}
