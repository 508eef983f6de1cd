package io.orth.admin.api;

import io.orth.admin.job.Execution;

/**
 * Source of a job in a response.
 *
 * @param version version of the job's source
 * @param source source text; null in lists and in runs
 */
record GlueView(String type, int version, String source) {

    /** Returns null if a handler runs instead. */
    static GlueView of(Execution execution, Integer version, String source) {
        return execution.isSource() ? new GlueView(execution.glue().name(), version, source) : null;
    }
}
