package io.orth.admin.job;

/** Result of creating or updating a job; {@code job} is null for a dry run that would create it. */
public record JobPut(Outcome outcome, Job job) {

    /** The action that was, or in a dry run would be, taken. */
    public enum Outcome {
        CREATED,
        UPDATED,
        UNCHANGED
    }
}
