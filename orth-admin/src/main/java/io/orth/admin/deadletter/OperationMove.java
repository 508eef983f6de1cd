package io.orth.admin.deadletter;

import io.orth.admin.kernel.Move;

/** A requested status transition of a bulk operation. */
record OperationMove(long id, Operation.Status from, Operation.Status to, Reason reason)
        implements Move<Operation.Status> {

    /** Reason of a status transition. */
    enum Reason {
        CREATED,
        PAUSED,
        RESUMED,
        ABORTED,
        COMPLETED
    }
}
