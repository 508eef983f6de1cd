package io.orth.admin.alarm;

import io.orth.admin.kernel.Move;

/**
 * The final transition of an alarm that is being sent.
 *
 * @param tries number of this attempt; the alarm ends only if no later attempt has started
 * @param error error of the last attempt; null if it succeeded
 */
record AlarmMove(long id, int tries, AlarmStatus to, Reason reason, String error) implements Move<AlarmStatus> {

    /** Reason of an alarm's status transition. */
    enum Reason {
        CREATED,
        SENT,
        /** The last attempt failed. */
        EXHAUSTED
    }

    @Override
    public AlarmStatus from() {
        return AlarmStatus.PENDING;
    }
}
