package io.orth.admin.job;

import io.orth.admin.kernel.Move;

/** A requested status transition of one job. */
record JobMove(long id, JobStatus from, JobStatus to, Reason reason) implements Move<JobStatus> {

    /** Reason of a job's status transition. */
    enum Reason {
        CREATED,
        PAUSED,
        RESUMED,
        /** A user edited the job. */
        EDITED,
        /** Its schedule has no further fire time or is invalid. */
        ENDED,
        DELETED
    }
}
