package io.orth.launcher;

/** Thrown if Orth cannot start or continue. The message is meant for the user at the terminal. */
final class LauncherException extends RuntimeException {

    static final int USAGE = 2;
    static final int FAILED = 1;

    private final int exitCode;

    private LauncherException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static LauncherException usage(String message) {
        return new LauncherException(USAGE, message);
    }

    static LauncherException failed(String message) {
        return new LauncherException(FAILED, message);
    }

    int exitCode() {
        return exitCode;
    }
}
