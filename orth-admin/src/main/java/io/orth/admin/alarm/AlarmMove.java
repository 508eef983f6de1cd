package io.orth.admin.alarm;

import io.orth.admin.kernel.Move;

/**
 * The end of an alarm that is being sent.
 *
 * @param tries the number of this attempt; the alarm ends only if no later attempt has started
 * @param error why the last attempt failed; null if it did not
 */
record AlarmMove(long id, int tries, AlarmStatus to, Reason reason, String error) implements Move<AlarmStatus> {

    /** Why an alarm's status changes. */
    enum Reason {
        CREATED,
        SENT,
        /** Every try has failed. */
        EXHAUSTED
    }

    @Override
    public AlarmStatus from() {
        return AlarmStatus.PENDING;
    }
}
