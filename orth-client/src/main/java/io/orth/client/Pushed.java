package io.orth.client;

/**
 * What became of a message that was pushed.
 *
 * @param id its own; where its unique key was taken, that of the message which has it
 * @param duplicate whether it was not added for that reason
 */
public record Pushed(long id, boolean duplicate) implements java.io.Serializable {}
