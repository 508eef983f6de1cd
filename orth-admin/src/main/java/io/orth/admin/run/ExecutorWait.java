package io.orth.admin.run;

/**
 * A run that no executor takes now, and that may wait for one.
 *
 * @param counts whether the time since it was last looked at is part of what it may wait
 */
public record ExecutorWait(Refusal refusal, boolean counts) {}
