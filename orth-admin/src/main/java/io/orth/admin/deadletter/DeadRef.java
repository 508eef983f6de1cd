package io.orth.admin.deadletter;

/**
 * One dead letter, as far as it takes to do something with it.
 *
 * @param no its number in the list
 * @param id the message's or the run's
 * @param owner the queue or the job
 */
public record DeadRef(long no, long id, DeadKind kind, int owner) {}
