package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.run.Run;

/**
 * A run as the API shows it.
 *
 * @param groupName null if the group was deleted
 * @param glue which version of the job's source ran; null if a handler did
 */
record RunView(@JsonUnwrapped Run run, String groupName, GlueView glue) {

    static RunView of(Run run, String groupName) {
        return new RunView(run, groupName, GlueView.of(run.execution(), run.sourceVersion(), null));
    }
}
