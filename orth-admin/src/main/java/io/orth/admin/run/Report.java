package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.protocol.CallbackItem;

/**
 * A result that counts unless its run has finished.
 *
 * @param accepted whether it is known that the executor accepted the run; a result that overtakes the recording of its trigger implies it
 * @param kill null unless an operator requested a kill; a failure is then attributed to the kill
 * @param killSent whether the kill was sent to the executor; then a success is attributed to the kill as well
 * @param fence claim under which the run was when it was matched with the reporting executor
 */
record Report(CallbackItem result, boolean accepted, Run.Kill kill, boolean killSent, Fence fence) {

    long runId() {
        return result.logId();
    }
}
