package io.orth.executor.internal;

import java.time.Duration;

/** One pass of a background duty. */
@FunctionalInterface
public interface Duty {

    /** Returns how long to rest before the next pass, unless woken; zero runs again at once. */
    Duration run() throws Exception;
}
