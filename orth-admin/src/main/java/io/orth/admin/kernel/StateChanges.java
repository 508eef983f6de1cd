package io.orth.admin.kernel;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Every status change, in the transaction that made it: written to the journal first, then given to the listeners of its kind, one
 * after the other. An exception of any of them undoes the change.
 */
public final class StateChanges {

    private final Journal journal;
    private final AtomicReference<List<TransitionListener>> listeners = new AtomicReference<>();

    public StateChanges(Journal journal) {
        this.journal = journal;
    }

    /** Of a state that is not journalled, because the transitions of others tell of it. */
    public static StateChanges untold() {
        return new StateChanges(changes -> {}).followedBy(List.of());
    }

    /**
     * Sets the listeners, once. They come after construction because most of them change statuses themselves; no status changes
     * before they are known.
     */
    public StateChanges followedBy(List<? extends TransitionListener> inOrder) {
        if (!listeners.compareAndSet(null, List.copyOf(inOrder))) {
            throw new IllegalStateException("the listeners of status changes are set already");
        }
        return this;
    }

    /** In the order in which they are called. */
    public List<TransitionListener> listeners() {
        List<TransitionListener> known = listeners.get();
        if (known == null) {
            throw new IllegalStateException("no status changes before its listeners are set");
        }
        return known;
    }

    /** @param changes of one kind of entity */
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
