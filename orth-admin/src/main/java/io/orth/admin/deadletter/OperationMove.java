package io.orth.admin.deadletter;

import io.orth.admin.kernel.Move;

/** A status change wanted for one operation. */
record OperationMove(long id, Operation.Status from, Operation.Status to, Reason reason)
        implements Move<Operation.Status> {

    /** Why an operation's status changes. */
    enum Reason {
        CREATED,
        PAUSED,
        RESUMED,
        ABORTED,
        COMPLETED
    }
}
