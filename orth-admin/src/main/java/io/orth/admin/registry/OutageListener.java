package io.orth.admin.registry;

/** Listener for suspected outages of executors of one kind, notified at their start and end by each node that notices. */
@FunctionalInterface
public interface OutageListener {

    /** Stage of an outage. */
    enum Change {
        /** Most executors stopped sending heartbeats at the same time. */
        SUSPECTED,
        /** Most executors send heartbeats again. */
        RESOLVED,
        /** The outage ended because executors were declared dead and no longer count. */
        DECLARED_DEAD
    }

    void changed(ExecutorKind kind, Change change, String text);
}
