package io.orth.admin.run;

/**
 * A run fired by the success of another.
 *
 * @param parent the run that succeeded
 */
public record NewChild(long parent, NewRun run) {}
