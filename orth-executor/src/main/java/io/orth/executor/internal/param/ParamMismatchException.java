package io.orth.executor.internal.param;

/** Thrown if a parameter does not fit the record that a handler takes. The message is meant for the author of the parameter. */
public final class ParamMismatchException extends Exception {

    private static final long serialVersionUID = 1L;

    ParamMismatchException(String message) {
        super(message);
    }

    static ParamMismatchException at(String path, String expected, Object got) {
        return new ParamMismatchException("%s must be %s, got %s".formatted(nameOf(path), expected, Shown.of(got)));
    }

    /** Describes the path for messages; the root has no name of its own. */
    static String nameOf(String path) {
        return path.isEmpty() ? "the parameter" : "'%s'".formatted(path);
    }
}
