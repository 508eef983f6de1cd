package io.orth.admin.api;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Page of a list.
 *
 * @param next value of {@code after} for the next page; null at the end
 */
public record Page<T>(List<T> items, String next) {

    /**
     * Creates a page of the rows found for {@code request}, at most {@link PageRequest#rows()}. The surplus row only shows that there is
     * another page.
     */
    public static <R, T> Page<T> of(List<R> rows, PageRequest request, ToLongFunction<R> id, Function<R, T> view) {
        boolean more = rows.size() > request.limit();
        List<R> shown = more ? rows.subList(0, request.limit()) : rows;
        String next = more ? Long.toString(id.applyAsLong(shown.get(shown.size() - 1))) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }

    /** Creates a page of rows that are returned unchanged. */
    public static <T> Page<T> of(List<T> rows, PageRequest request, ToLongFunction<T> id) {
        return of(rows, request, id, row -> row);
    }
}
