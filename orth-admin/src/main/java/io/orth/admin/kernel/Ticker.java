package io.orth.admin.kernel;

/** Monotonic time for durations; never compared between processes. */
@FunctionalInterface
public interface Ticker {

    long nanos();

    static Ticker system() {
        return System::nanoTime;
    }
}
