package io.orth.admin.job;

/** What became of a job that should match a description; {@code job} is null for a dry run that would create it. */
public record JobPut(Outcome outcome, Job job) {

    /** What was, or would be, done. */
    public enum Outcome {
        CREATED,
        UPDATED,
        UNCHANGED
    }
}
