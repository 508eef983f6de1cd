package io.orth.admin.transition;

import java.util.List;

/**
 * A receiver of transitions. One node at a time delivers them, on a thread of the sink's own. Transitions that a sink did not accept are
 * delivered again: each sink gets every transition at least once, and those of one entity in order.
 *
 * <p>Sinks are beans; jars on the loader's path may add some.
 */
public interface TransitionSink {

    /** Returns the name under which the sink's position is stored; it must never change. */
    String name();

    /**
     * Delivers transitions; returns once the receiver has stored all of them. If that is not certain, throws; then all are delivered
     * again.
     *
     * @param term increases with each node that takes over, so a receiver can reject deliveries with a lower term
     */
    void emit(long term, List<RelayedTransition> transitions) throws Exception;
}
