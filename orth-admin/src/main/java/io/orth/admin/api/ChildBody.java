package io.orth.admin.api;

import io.orth.admin.job.ChildJob;

/**
 * Job that each success of another job triggers.
 *
 * @param name name of the child; required only in job files, so that an id of another installation is not mistaken for it
 * @param pass {@code NONE} (its own parameter), {@code FIXED} or {@code RESULT} (the parent's result message); {@code NONE} if missing
 * @param param for {@code FIXED}
 */
record ChildBody(String jobId, String name, ChildJob.Pass pass, String param) {

    ChildJob toChild() {
        String id = ProblemField.required("children.jobId", jobId);
        return new ChildJob(Ids.parseInt("children.jobId", id), pass == null ? ChildJob.Pass.NONE : pass, param);
    }
}
