package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmRepository.Due;
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

    static AlarmMove sent(Due alarm) {
        return new AlarmMove(alarm.id(), alarm.tries(), AlarmStatus.SENT, Reason.SENT, null);
    }

    static AlarmMove exhausted(Due alarm, String error) {
        return new AlarmMove(alarm.id(), alarm.tries(), AlarmStatus.FAILED, Reason.EXHAUSTED, error);
    }

    @Override
    public AlarmStatus from() {
        return AlarmStatus.PENDING;
    }
}
