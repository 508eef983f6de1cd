package io.orth.admin.registry;

import io.orth.protocol.Registration;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The identity of executors that do not name their instance. It follows from group and address, so every admin makes the same
 * one, and a restart under the same address, which cannot be seen, changes nothing.
 */
final class ForeignInstance {

    /** No executor of Orth's may call itself so. */
    static final String PREFIX = "xxl-";

    private static final long NO_PID = 0;
    private static final String NO_VERSION = "";

    private ForeignInstance() {}

    static String id(int group, String address) {
        byte[] name = "%d %s".formatted(group, address).getBytes(StandardCharsets.UTF_8);
        return PREFIX + UUID.nameUUIDFromBytes(name);
    }

    /** What such an executor would say of itself; {@code address} is in its checked form. */
    static Registration.Instance at(int group, String address) {
        return new Registration.Instance(id(group, address), URI.create(address).getHost(), NO_PID, NO_VERSION, true);
    }
}
