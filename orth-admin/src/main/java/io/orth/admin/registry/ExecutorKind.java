package io.orth.admin.registry;

/** Which wire an executor speaks. */
public enum ExecutorKind {
    /** Orth's own: it names its instance, takes batches, and can be asked about single runs. */
    ORTH("Orth"),
    /** XXL-JOB's only: it is known by its address, takes one trigger at a time, and cannot be asked what it has. */
    XXL_JOB("XXL-JOB");

    private final String label;

    ExecutorKind(String label) {
        this.label = label;
    }

    /** For people. */
    public String label() {
        return label;
    }
}
