package io.orth.executor.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * A map keyed by ids. Consecutive ids differ only in a few of the bits that a hash table uses and would share a few of its
 * buckets, so keys are multiplied to spread their bits. Not thread-safe.
 */
public final class IdMap<V> {

    /** Odd, so that distinct ids have distinct keys. */
    private static final long SPREADING = 0x9E3779B97F4A7C15L;

    private final Map<Long, V> values = new HashMap<>();

    private static Long key(long id) {
        return id * SPREADING;
    }

    /** Returns the value; null if there is none. */
    public V get(long id) {
        return values.get(key(id));
    }

    public boolean has(long id) {
        return values.containsKey(key(id));
    }

    /** Returns the previous value; null if there was none. */
    public V put(long id, V value) {
        return values.put(key(id), value);
    }

    /** Returns the removed value; null if there was none. */
    public V remove(long id) {
        return values.remove(key(id));
    }

    public int size() {
        return values.size();
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }
}
