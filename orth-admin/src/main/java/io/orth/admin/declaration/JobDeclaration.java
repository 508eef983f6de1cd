package io.orth.admin.declaration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.protocol.DeclaredJob;
import java.time.Instant;

/**
 * What the code of a group says about one job.
 *
 * @param jobId the job that it is about; null where that was deleted or never made
 * @param declared the last that could be taken; null where nothing could
 * @param problem why what the code says now was refused; null where it was not
 * @param instanceId whose word it is
 * @param withdrawnAt since when the code says nothing about it any more; null while it does
 */
public record JobDeclaration(
        int groupId,
        String groupName,
        String name,
        Integer jobId,
        @JsonIgnore DeclaredJob declared,
        String problem,
        Instant declaredAt,
        String instanceId,
        @JsonIgnore Instant withdrawnAt) {

    /** Whether the code says this and nothing is to be done about it. */
    boolean says(DeclaredJob said) {
        return withdrawnAt == null && problem == null && said.equals(declared);
    }

    /** Whether a job that is not there was deleted by a person while the code said just this. */
    boolean wasDismissed(DeclaredJob said) {
        return withdrawnAt == null && said.equals(declared);
    }
}
