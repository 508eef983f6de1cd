package io.orth.executor.internal.param;

/** Converts one JSON value (a string, number, boolean, list or map; null if missing) to a Java value. */
@FunctionalInterface
interface Reader {

    /** @param path path of the value, such as {@code items[2].price}; empty for the whole parameter */
    Object read(String path, Object value) throws ParamMismatchException;

    /** Wraps a reader so that a missing value yields null. */
    static Reader nullable(Reader reader) {
        return (path, value) -> value == null ? null : reader.read(path, value);
    }
}
