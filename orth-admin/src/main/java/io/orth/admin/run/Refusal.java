package io.orth.admin.run;

/**
 * No executor takes this run.
 *
 * @param dispatch how often it had been sent when that was found; void if someone has sent it again since
 */
public record Refusal(long runId, int dispatch, String reason) {}
