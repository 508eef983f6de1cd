package io.orth.executor;

import io.orth.protocol.Codes;

/** What a handler reports back: three ways to end, and no others. The text may be null. */
public sealed interface RunResult {

    /** The code and the text as they travel to the admin. */
    int code();

    String text();

    static RunResult success() {
        return new Succeeded(null);
    }

    static RunResult success(String message) {
        return new Succeeded(message);
    }

    static RunResult fail(String reason) {
        return new Failed(reason);
    }

    record Succeeded(String message) implements RunResult {
        @Override
        public int code() {
            return Codes.SUCCESS;
        }

        @Override
        public String text() {
            return message;
        }
    }

    record Failed(String reason) implements RunResult {
        @Override
        public int code() {
            return Codes.FAIL;
        }

        @Override
        public String text() {
            return reason;
        }
    }

    record TimedOut(String reason) implements RunResult {
        @Override
        public int code() {
            return Codes.TIMEOUT;
        }

        @Override
        public String text() {
            return reason;
        }
    }
}
