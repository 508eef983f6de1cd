package io.orth.admin.kernel;

/**
 * Ownership of work: the executor instance and the claim by which it got the work. A result or decision about a claim changes only a row
 * that is still under that claim. Late and repeated ones therefore cannot affect work that has since been reassigned.
 *
 * @param executorId null if no executor has the work
 * @param claimId log id of the claim of a message or task; dispatch number of a run
 */
public record Fence(Long executorId, long claimId) {}
