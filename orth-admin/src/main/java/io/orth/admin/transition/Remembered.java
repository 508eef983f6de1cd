package io.orth.admin.transition;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** An LRU cache of immutable values. Thread-safe. */
final class Remembered<K, V> {

    private static final float LOAD_FACTOR = 0.75f;

    private final Map<K, V> known = new LinkedHashMap<>(16, LOAD_FACTOR, true);
    private final int capacity;
    private final ToIntFunction<V> sizeOf;
    private int size;

    /** @param sizeOf returns the share of the capacity that a value uses */
    Remembered(int capacity, ToIntFunction<V> sizeOf) {
        this.capacity = capacity;
        this.sizeOf = sizeOf;
    }

    synchronized void put(K key, V value) {
        take(key);
        known.put(key, value);
        size += sizeOf.applyAsInt(value);
        Iterator<V> eldest = known.values().iterator();
        while (size > capacity && known.size() > 1) {
            size -= sizeOf.applyAsInt(eldest.next());
            eldest.remove();
        }
    }

    /** Removes and returns a value; null if it is not cached. */
    synchronized V take(K key) {
        V value = known.remove(key);
        size -= value == null ? 0 : sizeOf.applyAsInt(value);
        return value;
    }

    /** Returns the existing values. {@code find} is called once, for all keys that are not cached. */
    Map<K, V> get(Collection<K> keys, Function<Set<K>, Map<K, V>> find) {
        Map<K, V> found = new HashMap<>();
        Set<K> unknown = new HashSet<>();
        synchronized (this) {
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
            fresh.forEach(this::put);
        }
        return found;
    }
}
