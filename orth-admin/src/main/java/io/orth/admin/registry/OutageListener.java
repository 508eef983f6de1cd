package io.orth.admin.registry;

/** Is notified of a suspected outage of executors of one kind and of its end, on each node that notices it. */
@FunctionalInterface
public interface OutageListener {

    /** A stage of an outage. */
    enum Change {
        /** Most executors fell silent together. */
        SUSPECTED,
        /** Most executors are heard again. */
        RESOLVED,
        /** It is over because executors were declared dead meanwhile and no longer count. */
        DECLARED_DEAD
    }

    void changed(ExecutorKind kind, Change change, String text);
}
