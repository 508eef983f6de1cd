package io.orth.admin.queue;

/** Why a message changed its state. */
enum MessageCause {
    PUSHED,
    CLAIMED,
    COMPLETED,
    /** An attempt failed, and another one follows. */
    FAILED,
    /** An attempt took too long, and another one follows. */
    TIMED_OUT,
    /** Its executor stops and had not begun with it: the attempt does not count. */
    RETURNED,
    /** Its executor is gone, or does not have it. */
    LOST,
    /** The last attempt failed. */
    EXHAUSTED,
    /** The handler said that no further attempt would mend it. */
    FAILED_FOR_GOOD,
    /** Somebody gave it another chance. */
    RETRIED,
    /** Somebody did not want it any more. */
    DISCARDED
}
