package io.orth.admin.kernel;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Isolates the item that makes a batch fail: halves the batch until the item is alone, so the others succeed without it. A failure that
 * {@link DatabaseTrouble#isOfTheItem no item} causes is rethrown immediately, because smaller batches would fail as well.
 */
public final class Splitter {

    private Splitter() {}

    /**
     * Calls {@code work} with all items, and with parts of them after a failure. The effects of a call that throws must not persist, as
     * in a transaction that is rolled back.
     *
     * @param failed called for each item for which {@code work} failed alone
     */
    public static <T> void run(List<T> items, Consumer<List<T>> work, BiConsumer<T, RuntimeException> failed) {
        try {
            work.accept(items);
        } catch (RuntimeException e) {
            split(items, e, work, failed);
        }
    }

    /** Like {@link #run}, for items for which a first call has already failed. */
    public static <T> void split(
            List<T> items, RuntimeException failure, Consumer<List<T>> work, BiConsumer<T, RuntimeException> failed) {
        if (items.isEmpty() || !DatabaseTrouble.isOfTheItem(failure)) {
            throw failure;
        }
        if (items.size() == 1) {
            failed.accept(items.get(0), failure);
            return;
        }
        int middle = items.size() / 2;
        run(items.subList(0, middle), work, failed);
        run(items.subList(middle, items.size()), work, failed);
    }

    /**
     * Variant in which {@code work} itself fetches the given number of next items. Returns the result for {@code size} items, or for
     * fewer after a failure.
     *
     * @param failed handles the next item if {@code work} failed for it alone
     */
    public static <R> R next(int size, IntFunction<R> work, Function<RuntimeException, R> failed) {
        for (int count = size; ; count /= 2) {
            try {
                return work.apply(count);
            } catch (RuntimeException e) {
                if (!DatabaseTrouble.isOfTheItem(e)) {
                    throw e;
                }
                if (count <= 1) {
                    return failed.apply(e);
                }
            }
        }
    }
}
