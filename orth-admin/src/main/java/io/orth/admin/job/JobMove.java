package io.orth.admin.job;

import io.orth.admin.kernel.Move;

/** A status change wanted for one job. */
record JobMove(long id, JobStatus from, JobStatus to, Reason reason) implements Move<JobStatus> {

    /** Why a job's status changes. */
    enum Reason {
        CREATED,
        PAUSED,
        RESUMED,
        /** Somebody changed the job, and this with it. */
        EDITED,
        /** Its schedule has no next time, or cannot be followed. */
        ENDED,
        DELETED
    }
}
