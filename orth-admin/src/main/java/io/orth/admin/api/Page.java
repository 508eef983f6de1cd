package io.orth.admin.api;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Part of a list.
 *
 * @param next what to give as {@code after} for the items that follow; null at the end
 */
public record Page<T>(List<T> items, String next) {

    /**
     * Makes a page of the rows found for {@code request}, which are up to {@link PageRequest#rows()}: the surplus row only
     * tells that there is more.
     */
    public static <R, T> Page<T> of(List<R> rows, PageRequest request, ToLongFunction<R> id, Function<R, T> view) {
        boolean more = rows.size() > request.limit();
        List<R> shown = more ? rows.subList(0, request.limit()) : rows;
        String next = more ? Long.toString(id.applyAsLong(shown.get(shown.size() - 1))) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }

    /** The same of rows that are shown as they are. */
    public static <T> Page<T> of(List<T> rows, PageRequest request, ToLongFunction<T> id) {
        return of(rows, request, id, row -> row);
    }
}
