package io.orth.admin.run;

/** Cause of a run's status change. */
public enum RunCause {
    CREATED,
    /** An executor accepted the run. */
    ACCEPTED,
    /** It is unknown whether an executor accepted the run, and can no longer be found out; the result is awaited for a while. */
    UNCONFIRMED,
    /** No executor accepted the run. */
    REFUSED,
    /** No executor was available in time. */
    NO_EXECUTOR,
    /** The job was busy and its block strategy is DISCARD. */
    DISCARDED,
    /** The executor reported the result. */
    CALLBACK,
    /** The executor is dead or does not have the run, so no result will be reported. */
    LOST,
    /** The run was killed by a person. */
    KILLED,
    /** The run was a retry of a run that has succeeded after all. */
    CALLED_OFF,
    /** The run was declared lost, then its result arrived. */
    LATE_RESULT
}
