package io.orth.executor.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * A map by ids. Those that were made one after the other differ in few of the bits that a hash table goes by, and would all be in few
 * of its places; so each goes in under a number that has its bits everywhere. Not for several threads at once.
 */
public final class IdMap<V> {

    /** Odd, so that no two ids have the same key. */
    private static final long SPREADING = 0x9E3779B97F4A7C15L;

    private final Map<Long, V> values = new HashMap<>();

    private static Long key(long id) {
        return id * SPREADING;
    }

    /** Null where there is none. */
    public V get(long id) {
        return values.get(key(id));
    }

    public boolean has(long id) {
        return values.containsKey(key(id));
    }

    /** Returns what was there before; null where there was none. */
    public V put(long id, V value) {
        return values.put(key(id), value);
    }

    /** Returns what was there; null where there was none. */
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
