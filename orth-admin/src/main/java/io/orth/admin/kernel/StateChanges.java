package io.orth.admin.kernel;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Processes every status change in the transaction that made it: writes it to the journal, then calls the listeners of its kind in order.
 * An exception from any of them rolls the change back.
 */
public final class StateChanges {

    private final Journal journal;
    private final AtomicReference<List<TransitionListener>> listeners = new AtomicReference<>();

    public StateChanges(Journal journal) {
        this.journal = journal;
    }

    /** Returns an instance for statuses that are not journaled, because the transitions of other entities cover them. */
    public static StateChanges untold() {
        return new StateChanges(changes -> {}).followedBy(List.of());
    }

    /**
     * Sets the listeners, once. This happens after construction because most listeners change statuses themselves; no status changes
     * before.
     */
    public StateChanges followedBy(List<? extends TransitionListener> inOrder) {
        if (!listeners.compareAndSet(null, List.copyOf(inOrder))) {
            throw new IllegalStateException("the listeners of status changes are set already");
        }
        return this;
    }

    /** Returns the listeners in call order. */
    public List<TransitionListener> listeners() {
        List<TransitionListener> known = listeners.get();
        if (known == null) {
            throw new IllegalStateException("no status changes before its listeners are set");
        }
        return known;
    }

    /** @param changes changes of one kind of entity */
    void append(List<StateChange> changes) {
        List<TransitionListener> all = listeners();
        if (changes.isEmpty()) {
            return;
        }
        journal.append(changes);
        EntityKind entity = changes.get(0).entity();
        for (TransitionListener listener : all) {
            if (listener.entity() == entity) {
                listener.changed(changes);
            }
        }
    }
}
