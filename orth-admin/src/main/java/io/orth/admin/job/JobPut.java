package io.orth.admin.job;

/**
 * What became of a job that was to be like a description of it.
 *
 * @param job null where it would be made, but was only asked about
 */
public record JobPut(Outcome outcome, Job job) {

    /** What was, or would be, done. */
    public enum Outcome {
        CREATED,
        UPDATED,
        UNCHANGED
    }
}
