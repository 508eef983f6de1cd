package io.orth.admin.kernel;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Isolates the item that makes a batch fail: the batch is halved until that item is alone, and its neighbours succeed without it.
 * A failure that {@link DatabaseTrouble#isOfTheItem no item} causes is thrown at once, since smaller batches would fail as well.
 */
public final class Splitter {

    private Splitter() {}

    /**
     * Calls {@code work} with all items, and with parts of them after a failure. What {@code work} did before it threw must not last,
     * as a transaction that is rolled back.
     *
     * @param failed is called for each item with which {@code work} failed alone
     */
    public static <T> void run(List<T> items, Consumer<List<T>> work, BiConsumer<T, RuntimeException> failed) {
        try {
            work.accept(items);
        } catch (RuntimeException e) {
            split(items, e, work, failed);
        }
    }

    /** The same for items with which a first call has failed already. */
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
     * The same where {@code work} takes the next items itself, as many as it is told: returns what it made of {@code size} items, or of
     * fewer after a failure.
     *
     * @param failed what to do about the next item, with which {@code work} failed alone
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
