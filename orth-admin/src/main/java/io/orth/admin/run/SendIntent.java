package io.orth.admin.run;

/**
 * "This run is about to be sent there": committed before each send.
 *
 * @param dispatch how often it was sent before; the intent is void if that has changed
 * @param message what is said about it until it is known what came of it; stays where its result overtakes that
 */
public record SendIntent(long runId, int dispatch, long executorId, String address, String message) {

    public SendIntent(long runId, int dispatch, long executorId, String address) {
        this(runId, dispatch, executorId, address, "sent to " + address);
    }
}
