package io.orth.admin.registry;

/** Is notified when an outage of executors of one kind is suspected and when it is over, on each node that notices it. */
@FunctionalInterface
public interface OutageListener {

    void changed(ExecutorKind kind, boolean suspected, String text);
}
