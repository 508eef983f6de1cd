package io.orth.protocol;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The configuration keys that a program knows, to find those that are misspelt. Admins and the Spring Boot starter use it. */
public final class ConfigurationKeys {

    /** A key that differs in more characters is taken for no misspelling of another. */
    private static final int MAX_DISTANCE = 4;

    /** The same where it is not certain that a key is meant for this program, such as for variables of the environment. */
    private static final int MAX_UNCERTAIN_DISTANCE = 2;

    /** No key of Orth's comes near. */
    private static final int MAX_LENGTH = 300;

    /** By their letters and digits, as which all spellings that Spring accepts are the same. */
    private final Map<String, String> keys = new TreeMap<>();
    /** Those that have further keys below them, of a list or a map. */
    private final Collection<String> open = new TreeSet<>();

    /** Adds the keys of a record that is bound from a prefix, and of the records in it. */
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
     * What is wrong with a key that was set; empty if nothing is.
     *
     * @param certain whether the key is certainly meant for this program; otherwise it is wrong only where it is nearly one that is known
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

    /** How many characters must be added, left out or changed; {@code limit} or more where it is at least that. */
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
