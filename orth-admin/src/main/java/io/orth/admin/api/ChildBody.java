package io.orth.admin.api;

import io.orth.admin.job.ChildJob;

/**
 * A job that is fired by each success of another.
 *
 * @param name its name; needed only where a job is kept in a file, so that an id of another installation is not taken for it
 * @param pass {@code NONE} (it has its own parameter), {@code FIXED} or {@code RESULT} (the parent's result message);
 *     {@code NONE} where it is missing
 * @param param for {@code FIXED}
 */
record ChildBody(String jobId, String name, ChildJob.Pass pass, String param) {

    ChildJob toChild() {
        String id = ProblemField.required("children.jobId", jobId);
        return new ChildJob(Ids.parseInt("children.jobId", id), pass == null ? ChildJob.Pass.NONE : pass, param);
    }
}
