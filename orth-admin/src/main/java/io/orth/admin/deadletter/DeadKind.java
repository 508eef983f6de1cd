package io.orth.admin.deadletter;

/** What was given up. */
public enum DeadKind {
    /** Of a queue. */
    MESSAGE("queue_id"),
    /** Of a job. */
    RUN("job_id");

    private final String ownerColumn;

    DeadKind(String ownerColumn) {
        this.ownerColumn = ownerColumn;
    }

    String ownerColumn() {
        return ownerColumn;
    }
}
