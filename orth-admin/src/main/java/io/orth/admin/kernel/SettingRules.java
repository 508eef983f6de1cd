package io.orth.admin.kernel;

import java.time.Duration;

/** Rules that settings of several features share; a value that breaks one is refused by its key. */
public final class SettingRules {

    private SettingRules() {}

    public static void positive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive, got %s".formatted(key, value));
        }
    }

    public static void notNegative(String key, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("%s must not be negative, got %s".formatted(key, value));
        }
    }

    public static void between(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be between %d and %d, got %d".formatted(key, least, most, value));
        }
    }
}
