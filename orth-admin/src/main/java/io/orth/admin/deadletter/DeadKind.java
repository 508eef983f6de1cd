package io.orth.admin.deadletter;

/** Type of a dead letter. */
public enum DeadKind {
    /** A message; owned by its queue. */
    MESSAGE("queue_id"),
    /** A run; owned by its job. */
    RUN("job_id");

    private final String ownerColumn;

    DeadKind(String ownerColumn) {
        this.ownerColumn = ownerColumn;
    }

    String ownerColumn() {
        return ownerColumn;
    }
}
