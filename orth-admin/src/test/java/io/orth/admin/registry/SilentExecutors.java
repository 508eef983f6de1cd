package io.orth.admin.registry;

import java.time.Duration;

/** Silent, unresponsive executors and the sweeper, for tests of other packages. */
public final class SilentExecutors {

    private SilentExecutors() {}

    public static void declareDead(Executors executors) {
        executors.declareDead(executors.silent(ExecutorKind.ORTH, Duration.ofSeconds(15), 0, 10));
    }
}
