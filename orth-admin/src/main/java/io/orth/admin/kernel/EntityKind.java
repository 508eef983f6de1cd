package io.orth.admin.kernel;

/** Kinds of entities that have a status and a journal of its transitions. */
public enum EntityKind {
    RUN,
    EXECUTOR,
    JOB,
    /** Many messages change in the same way together; each row keeps its own status history. */
    MESSAGE,
    PIPELINE_RUN,
    /** Packed like messages. */
    PIPELINE_TASK,
    OPERATION,
    ALARM;

    /** Returns whether equal changes of several entities are stored as one row. */
    public boolean isPacked() {
        return this == MESSAGE || this == PIPELINE_TASK;
    }
}
