package io.orth.admin.declaration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.protocol.DeclaredJob;
import java.time.Instant;

/**
 * The declaration of one job by the code of a group.
 *
 * @param jobId the job of the declaration; null if it was deleted or never created
 * @param declared the last accepted declaration; null if there is none
 * @param problem why the current declaration was rejected; null if it was not
 * @param instanceId the instance that declared it
 * @param withdrawnAt since when the code no longer declares the job; null if it does
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

    /** Returns whether this is the current declaration and nothing needs to be done. */
    boolean says(DeclaredJob said) {
        return withdrawnAt == null && problem == null && said.equals(declared);
    }

    /** Returns whether the missing job of this declaration was deleted by a user while the declaration was the same. */
    boolean wasDismissed(DeclaredJob said) {
        return withdrawnAt == null && said.equals(declared);
    }
}
