package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.run.Run;

/**
 * Run in a response.
 *
 * @param groupName null if the group was deleted
 * @param glue version of the job's source that ran; null if a handler ran
 */
record RunView(@JsonUnwrapped Run run, String groupName, GlueView glue) {

    static RunView of(Run run, String groupName) {
        return new RunView(run, groupName, GlueView.of(run.execution(), run.sourceVersion(), null));
    }
}
