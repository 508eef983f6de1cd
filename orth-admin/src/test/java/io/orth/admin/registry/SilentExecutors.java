package io.orth.admin.registry;

import java.time.Duration;

/** What the sweeper does about executors that are silent and do not answer, for tests of other packages. */
public final class SilentExecutors {

    private SilentExecutors() {}

    public static void declareDead(Executors executors) {
        executors.declareDead(executors.silent(ExecutorKind.ORTH, Duration.ofSeconds(15), 0, 10));
    }
}
