package io.orth.admin.transition;

import java.util.List;

/**
 * Somewhere transitions are told to. One node at a time tells them, on a thread of the sink's own; what a sink has not taken is
 * told again, so each gets every transition at least once, and those of one entity in their order.
 *
 * <p>Sinks are beans; jars on the loader's path may add some.
 */
public interface TransitionSink {

    /** Stays the same for ever: how far the sink has come is kept under it. */
    String name();

    /**
     * Returns when all of them are safe with the receiver. Throws if that is not certain: then all of them come again.
     *
     * @param term rises with each node that takes over: a receiver may refuse what comes under a lower one
     */
    void emit(long term, List<RelayedTransition> transitions) throws Exception;
}
