package io.orth.admin.transition;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Facts that do not change, as many as were asked for last. Safe for use by many threads. */
final class Remembered<K, V> {

    private static final float LOAD_FACTOR = 0.75f;

    private final Map<K, V> known;

    Remembered(int most) {
        this.known = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    void put(K key, V value) {
        synchronized (known) {
            known.put(key, value);
        }
    }

    /** Those there are; {@code find} is asked for what is not remembered, all at once. */
    Map<K, V> get(Collection<K> keys, Function<Set<K>, Map<K, V>> find) {
        Map<K, V> found = new HashMap<>();
        Set<K> unknown = new HashSet<>();
        synchronized (known) {
            for (K key : keys) {
                V value = known.get(key);
                if (value == null) {
                    unknown.add(key);
                } else {
                    found.put(key, value);
                }
            }
        }
        if (!unknown.isEmpty()) {
            Map<K, V> fresh = find.apply(unknown);
            found.putAll(fresh);
            synchronized (known) {
                known.putAll(fresh);
            }
        }
        return found;
    }
}
