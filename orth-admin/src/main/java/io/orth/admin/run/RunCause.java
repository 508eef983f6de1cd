package io.orth.admin.run;

/** Why a run's status changed. */
public enum RunCause {
    CREATED,
    /** An executor took it. */
    ACCEPTED,
    /** Whether an executor took it is not known and cannot be asked any more; its result is awaited for a while. */
    UNCONFIRMED,
    /** No executor took it. */
    REFUSED,
    /** No executor was available in time. */
    NO_EXECUTOR,
    /** Its job was busy, and the block strategy of the job is DISCARD. */
    DISCARDED,
    /** Its executor reported the result. */
    CALLBACK,
    /** Its executor is gone or does not have it, so no result will be reported. */
    LOST,
    /** Somebody ended it. */
    KILLED,
    /** It was to repeat a run that has succeeded after all. */
    CALLED_OFF,
    /** It had been judged lost, and then its result came. */
    LATE_RESULT
}
