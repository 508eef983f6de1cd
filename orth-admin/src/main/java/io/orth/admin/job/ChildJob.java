package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;

/** A job that is fired by each success of another; {@code param} is null unless {@code pass} is {@link Pass#FIXED}. */
public record ChildJob(int jobId, Pass pass, String param) {

    /** Where the child's parameter comes from. */
    public enum Pass {
        /** Nothing is passed on: the child has its own. */
        NONE,
        /** It is part of the link. */
        FIXED,
        /** It is the message of the parent's result. */
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
