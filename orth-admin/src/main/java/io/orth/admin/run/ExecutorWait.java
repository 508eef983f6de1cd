package io.orth.admin.run;

/**
 * A run that no executor accepts now and that may wait for one.
 *
 * @param counts whether the time since the last attempt counts toward the run's maximum wait
 */
public record ExecutorWait(Refusal refusal, boolean counts) {}
