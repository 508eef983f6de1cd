package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.protocol.CallbackItem;

/**
 * A result that counts unless its run has ended.
 *
 * @param accepted whether it is known that the executor took the run; a result that overtakes the recording of its trigger implies it
 * @param kill null unless an operator wants the run ended; its failure is then the kill's doing
 * @param killSent whether the executor had been sent the kill; then even a success is the kill's doing
 * @param fence the claim that the run was under when it was found to be the executor's that reports it
 */
record Report(CallbackItem result, boolean accepted, Run.Kill kill, boolean killSent, Fence fence) {

    long runId() {
        return result.logId();
    }
}
