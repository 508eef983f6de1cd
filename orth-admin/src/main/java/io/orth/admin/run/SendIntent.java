package io.orth.admin.run;

/**
 * Intent to dispatch a run to an executor, committed before each dispatch.
 *
 * @param dispatch number of earlier dispatches; the intent is void if it has changed
 * @param message trigger message until the outcome is known; it stays if the run's result arrives first
 */
public record SendIntent(long runId, int dispatch, long executorId, String address, String message) {

    public SendIntent(long runId, int dispatch, long executorId, String address) {
        this(runId, dispatch, executorId, address, "sent to " + address);
    }
}
