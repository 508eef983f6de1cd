package io.orth.admin.boot;

/** The admin cannot start; the message is one sentence for whoever started it. */
final class StartFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StartFailure(String message) {
        super(message);
    }

    StartFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** What a failure says, in one line. */
    static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .strip();
    }
}
