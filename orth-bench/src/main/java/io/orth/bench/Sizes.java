package io.orth.bench;

import java.time.Duration;

/**
 * How much is measured. Each size can be given as {@code -Dorth.bench.NAME}; otherwise it is that of the full form, which the goals are
 * for, or with {@code -Dorth.bench.short=true} that of the short one, in which two builds are compared.
 */
public final class Sizes {

    /** Without other programs and libraries to compare with. */
    public static final boolean SHORT = Boolean.getBoolean("orth.bench.short");

    private Sizes() {}

    public static int of(String name, int full, int brief) {
        return Integer.getInteger("orth.bench." + name, SHORT ? brief : full);
    }

    public static Duration seconds(String name, int full, int brief) {
        return Duration.ofSeconds(of(name, full, brief));
    }
}
