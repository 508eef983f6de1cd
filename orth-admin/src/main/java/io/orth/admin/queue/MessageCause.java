package io.orth.admin.queue;

/** Cause of a message's status transition. */
enum MessageCause {
    PUSHED,
    CLAIMED,
    COMPLETED,
    /** An attempt failed, and another one follows. */
    FAILED,
    /** An attempt timed out, and another one follows. */
    TIMED_OUT,
    /** Its executor stops and had not started it. The attempt does not count. */
    RETURNED,
    /** Its executor is dead or offline, or does not have it. */
    LOST,
    /** The last attempt failed. */
    EXHAUSTED,
    /** The handler reported a non-retryable failure. */
    FAILED_FOR_GOOD,
    /** An operator retried the dead letter. */
    RETRIED,
    /** An operator discarded the message, or its retention as a dead letter ended. */
    DISCARDED
}
