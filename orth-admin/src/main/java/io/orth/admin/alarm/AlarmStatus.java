package io.orth.admin.alarm;

/** Where an alarm stands. */
public enum AlarmStatus {
    /** Waits for its time, is being sent, or is to be tried again. */
    PENDING,
    SENT,
    /** Every try has failed. */
    FAILED
}
