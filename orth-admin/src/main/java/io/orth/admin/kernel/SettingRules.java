package io.orth.admin.kernel;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

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

    /**
     * What settings below a prefix make, such as a {@link RetryPolicy}. A field that it refuses is refused by the key of the setting:
     * {@code backoff.initialDelay} by {@code PREFIX.backoff.initial-delay}.
     */
    public static <T> T made(String prefix, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (OrthException e) {
            OrthException.FieldError wrong = e.fields().get(0);
            throw new IllegalArgumentException("%s.%s %s".formatted(prefix, kebab(wrong.field()), wrong.message()));
        }
    }

    /** Networks written as CIDR. */
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
