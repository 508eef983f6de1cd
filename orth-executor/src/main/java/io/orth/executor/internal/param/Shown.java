package io.orth.executor.internal.param;

import java.util.List;
import java.util.Map;

/** Formats a JSON value for a message, shortened if it is long. */
final class Shown {

    private static final int LONGEST = 60;

    private Shown() {}

    static String of(Object value) {
        if (value instanceof Map) {
            return "an object";
        }
        if (value instanceof List) {
            return "an array";
        }
        if (value instanceof String text) {
            return '"' + shortened(text) + '"';
        }
        return shortened(String.valueOf(value));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
