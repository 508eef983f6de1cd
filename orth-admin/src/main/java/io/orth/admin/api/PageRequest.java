package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.OptionalLong;
import org.springdoc.core.annotations.ParameterObject;

/** Requested page of a list: at most {@code limit} items, after the one with id {@code after}. */
@ParameterObject
public record PageRequest(
        int limit, @Schema(implementation = String.class) OptionalLong after) {

    private static final int DEFAULT_LIMIT = 50;
    private static final int MOST = 500;

    /** Parses the query parameters of a list; either may be null. */
    public static PageRequest of(String limit, String after) {
        return new PageRequest(limit(limit), after(after));
    }

    /** Returns the number of rows to read: one more than the limit, to detect another page. */
    public int rows() {
        return limit + 1;
    }

    private static int limit(String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        long limit = number(text).orElse(0);
        if (limit < 1 || limit > MOST) {
            throw OrthException.invalid("limit", "must be a number from 1 to " + MOST);
        }
        return (int) limit;
    }

    private static OptionalLong after(String text) {
        if (text == null) {
            return OptionalLong.empty();
        }
        OptionalLong after = number(text);
        if (after.isEmpty() || after.getAsLong() < 0) {
            throw OrthException.invalid("after", "must be the next of an earlier page");
        }
        return after;
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
