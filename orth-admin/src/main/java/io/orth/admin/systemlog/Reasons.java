package io.orth.admin.systemlog;

/** Cause of a failure in one short line. */
final class Reasons {

    private static final int LONGEST = 300;
    private static final int DEEPEST = 20;

    private Reasons() {}

    /** Describes the root cause, which is the most specific. */
    static String of(Throwable failure) {
        Throwable root = failure;
        for (int i = 0; i < DEEPEST && root.getCause() != null; i++) {
            root = root.getCause();
        }
        String message = root.getMessage();
        String name = root.getClass().getSimpleName();
        return LineText.clean(message == null || message.isBlank() ? name : message.strip(), LONGEST);
    }
}
