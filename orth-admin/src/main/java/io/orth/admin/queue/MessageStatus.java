package io.orth.admin.queue;

import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Where a message stands. The table below is the whole state machine; nothing else decides what may follow what. */
public enum MessageStatus implements Status<MessageStatus> {
    /** To be given to an executor, now or when it is due. */
    WAITING,
    /** With an executor, whose result is awaited. */
    RUNNING,
    DONE,
    /** Given up, and kept until somebody decides about it or its time is over. */
    DEAD,
    /** Somebody did not want it any more. */
    DISCARDED;

    private static final Map<MessageStatus, Set<MessageStatus>> NEXT = Map.of(
            WAITING, Set.of(RUNNING, DISCARDED),
            RUNNING, Set.of(DONE, WAITING, DEAD),
            DEAD, Set.of(WAITING, DISCARDED));

    @Override
    public boolean isInitial() {
        return this == WAITING;
    }

    @Override
    public Set<MessageStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }
}
