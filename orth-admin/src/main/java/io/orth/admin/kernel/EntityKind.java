package io.orth.admin.kernel;

/** What has a status and a journal of it. */
public enum EntityKind {
    RUN,
    EXECUTOR,
    JOB,
    /** Many change alike at once; each knows itself what it went through. */
    MESSAGE,
    PIPELINE_RUN,
    /** As messages. */
    PIPELINE_TASK,
    OPERATION,
    ALARM;

    /** Whether changes that are alike are kept as one. */
    public boolean isPacked() {
        return this == MESSAGE || this == PIPELINE_TASK;
    }
}
