package io.orth.admin.registry;

/** Wire protocol of an executor. */
public enum ExecutorKind {
    /** Orth's own protocol: the executor has an instance id, accepts batches, and can be asked about individual runs. */
    ORTH("Orth"),
    /**
     * XXL-JOB's protocol only: the executor is identified by its address, accepts one trigger at a time, and cannot be asked about its
     * runs.
     */
    XXL_JOB("XXL-JOB");

    private final String label;

    ExecutorKind(String label) {
        this.label = label;
    }

    /** Returns the display name. */
    public String label() {
        return label;
    }
}
