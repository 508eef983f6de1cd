package io.orth.admin.api;

import io.orth.admin.job.Execution;

/**
 * Which source runs.
 *
 * @param version which version of the job's source
 * @param source its text; null in lists and in runs
 */
record GlueView(String type, int version, String source) {

    /** Null where a handler runs. */
    static GlueView of(Execution execution, Integer version, String source) {
        return execution.isSource() ? new GlueView(execution.glue().name(), version, source) : null;
    }
}
