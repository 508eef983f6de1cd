package io.orth.executor.internal.param;

/** Turns one JSON value (a string, number, boolean, list or map; null where it is missing) into a Java value. */
@FunctionalInterface
interface Reader {

    /**
     * @param path where the value stands, such as {@code items[2].price}; empty for the whole parameter
     */
    Object read(String path, Object value) throws ParamMismatchException;

    /** Leaves a missing value null. */
    static Reader nullable(Reader reader) {
        return (path, value) -> value == null ? null : reader.read(path, value);
    }
}
