package io.orth.admin.kernel;

/** What has a status and a journal of it. */
public enum EntityKind {
    RUN,
    EXECUTOR,
    JOB
}
