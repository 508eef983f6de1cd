package io.orth.admin.alarm;

import io.orth.admin.kernel.Move;

/**
 * The end of an alarm that is being sent.
 *
 * @param tries the number of this try; it ends only while there was no other since
 * @param error what went wrong with the last try; null where nothing did
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
