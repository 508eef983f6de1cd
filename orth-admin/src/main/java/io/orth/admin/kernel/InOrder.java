package io.orth.admin.kernel;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Items in ascending order of their ids, each id once. Lookup is a binary search, because hashes of consecutive ids collide. */
public final class InOrder<T> {

    private final List<T> items;
    private final long[] ids;

    private InOrder(List<T> items, long[] ids) {
        this.items = items;
        this.ids = ids;
    }

    /** Sorts {@code items}. If several have the same id, the first one is kept. */
    public static <T> InOrder<T> of(Collection<T> items, ToLongFunction<T> id) {
        List<T> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparingLong(id));
        List<T> once = new ArrayList<>(sorted.size());
        long[] ids = new long[sorted.size()];
        for (T item : sorted) {
            long itsId = id.applyAsLong(item);
            if (once.isEmpty() || ids[once.size() - 1] != itsId) {
                ids[once.size()] = itsId;
                once.add(item);
            }
        }
        return new InOrder<>(Collections.unmodifiableList(once), Arrays.copyOf(ids, once.size()));
    }

    public List<T> items() {
        return items;
    }

    /** Returns the item with this id; null if there is none. */
    public T get(long id) {
        int place = Arrays.binarySearch(ids, id);
        return place < 0 ? null : items.get(place);
    }

    public Set<Long> ids() {
        return new AbstractSet<>() {

            @Override
            public boolean contains(Object id) {
                return id instanceof Long wanted && Arrays.binarySearch(ids, wanted) >= 0;
            }

            @Override
            public Iterator<Long> iterator() {
                return Arrays.stream(ids).iterator();
            }

            @Override
            public int size() {
                return ids.length;
            }
        };
    }
}
