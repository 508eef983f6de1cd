package io.orth.admin.kernel;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/** Rules shared by the settings of several features. An invalid value is reported by its configuration key. */
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

    /**
     * Returns an object built from the settings below a prefix, such as a {@link RetryPolicy}. Field names in errors are replaced by the
     * configuration key: {@code backoff.initialDelay} by {@code PREFIX.backoff.initial-delay}.
     */
    public static <T> T made(String prefix, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (OrthException e) {
            OrthException.FieldError wrong = e.fields().get(0);
            throw new IllegalArgumentException("%s.%s %s".formatted(prefix, kebab(wrong.field()), wrong.message()));
        }
    }

    /** Validates networks in CIDR notation. */
    public static List<String> networks(String key, List<String> networks) {
        for (String network : networks) {
            try {
                new IpAddressMatcher(network);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "%s: '%s' is not a network like 10.0.0.0/8 (%s)".formatted(key, network, e.getMessage()));
            }
        }
        return List.copyOf(networks);
    }

    private static String kebab(String field) {
        return field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    public static void between(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s must be between %d and %d, got %d".formatted(key, least, most, value));
        }
    }
}
