package io.orth.protocol;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The configuration keys that a program knows, to detect misspelled ones. Used by admins and the Spring Boot starter. */
public final class ConfigurationKeys {

    /** Maximum edit distance at which a key counts as a misspelling of another. */
    private static final int MAX_DISTANCE = 4;

    /** Maximum edit distance if it is uncertain that a key is meant for this program, such as for environment variables. */
    private static final int MAX_UNCERTAIN_DISTANCE = 2;

    /** Longer keys are not searched for prefixes; no key of Orth comes near this length. */
    private static final int MAX_LENGTH = 300;

    /** Keys by their letters and digits only, which makes all spellings that Spring accepts equal. */
    private final Map<String, String> keys = new TreeMap<>();
    /** Lists and maps, which have further keys below them. */
    private final Collection<String> open = new TreeSet<>();

    /** Adds the keys of a record that is bound from a prefix, and of its nested records. */
    public ConfigurationKeys add(String prefix, Class<?> bound) {
        for (RecordComponent component : bound.getRecordComponents()) {
            String key = prefix + "." + dashed(component.getName());
            Class<?> type = component.getType();
            if (type.isRecord()) {
                add(key, type);
            } else {
                keys.put(plain(key), key);
                if (Map.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type) || type.isArray()) {
                    open.add(plain(key));
                }
            }
        }
        return this;
    }

    /**
     * Returns a description of the problem with a key; empty if the key is valid.
     *
     * @param certain whether the key is certainly meant for this program; if not, only a key close to a known one is a problem
     */
    public Optional<String> problemOf(String key, boolean certain) {
        String plain = plain(key);
        if (keys.containsKey(plain) || isBelowAnOpenOne(key)) {
            return Optional.empty();
        }
        String nearest = null;
        int least = (certain ? MAX_DISTANCE : MAX_UNCERTAIN_DISTANCE) + 1;
        for (Map.Entry<String, String> known : keys.entrySet()) {
            int distance = distance(plain, known.getKey(), least);
            if (distance < least) {
                least = distance;
                nearest = known.getValue();
            }
        }
        if (nearest != null) {
            return Optional.of("%s is not a setting; did you mean %s?".formatted(key, nearest));
        }
        return certain ? Optional.of("%s is not a setting".formatted(key)) : Optional.empty();
    }

    private boolean isBelowAnOpenOne(String key) {
        return IntStream.range(0, Math.min(key.length(), MAX_LENGTH))
                .filter(i -> ".[_".indexOf(key.charAt(i)) >= 0)
                .anyMatch(i -> open.contains(plain(key.substring(0, i))));
    }

    private static String dashed(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Returns the edit distance (insertions, deletions, substitutions); {@code limit} or more if it is at least {@code limit}. */
    private static int distance(String one, String other, int limit) {
        if (Math.abs(one.length() - other.length()) >= limit) {
            return limit;
        }
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
