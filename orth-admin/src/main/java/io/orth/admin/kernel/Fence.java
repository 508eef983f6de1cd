package io.orth.admin.kernel;

/**
 * Whose a piece of work is: the executor instance that has it, and the claim by which it got it. A result or a verdict about a claim
 * changes only a row that is still under that claim, so that neither a late nor a repeated one touches what was given away since.
 *
 * @param executorId null where no executor has it
 * @param claimId the log id of the claim of a message or task; the number of the dispatch of a run
 */
public record Fence(Long executorId, long claimId) {}
