package io.orth.executor.internal.job;

import java.util.Optional;
import java.util.concurrent.Callable;

/** The run that the calling thread works for. Threads started by a handler inherit it. */
public final class CurrentRun {

    private static final InheritableThreadLocal<RunScope> CURRENT = new InheritableThreadLocal<>();

    private CurrentRun() {}

    public static Optional<RunScope> find() {
        return Optional.ofNullable(CURRENT.get());
    }

    public static void during(RunScope run, Runnable task) {
        RunScope before = CURRENT.get();
        set(run);
        try {
            task.run();
        } finally {
            set(before);
        }
    }

    public static <T> T during(RunScope run, Callable<T> task) throws Exception {
        RunScope before = CURRENT.get();
        set(run);
        try {
            return task.call();
        } finally {
            set(before);
        }
    }

    private static void set(RunScope run) {
        if (run == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(run);
        }
    }
}
