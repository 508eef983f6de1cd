package io.orth.admin.run;

/**
 * "This run is about to be sent there": committed before each send.
 *
 * @param dispatch how often it was sent before; the intent is void if that has changed
 */
public record SendIntent(long runId, int dispatch, long executorId, String address) {}
