package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;

/** A job that is fired by each success of another job. {@code param} is null unless {@code pass} is {@link Pass#FIXED}. */
public record ChildJob(int jobId, Pass pass, String param) {

    /** Source of the child's parameter. */
    public enum Pass {
        /** The child uses its own parameter. */
        NONE,
        /** The link defines the parameter. */
        FIXED,
        /** The parameter is the message of the parent's result. */
        RESULT
    }

    public ChildJob {
        if (pass == Pass.FIXED && param == null) {
            throw OrthException.invalid("children.param", "is missing where pass is FIXED");
        }
        if (pass != Pass.FIXED && param != null) {
            throw OrthException.invalid("children.param", "is only for pass FIXED");
        }
        if (param != null) {
            JobSpec.checkParam(param).ifPresent(error -> {
                throw OrthException.invalid("children.param", error.message());
            });
        }
    }
}
