package io.orth.client;

/**
 * Result of pushing a message.
 *
 * @param id id of the message or, if its unique key was held, of the message that holds the key
 * @param duplicate whether the message was not added because its unique key was held
 */
public record Pushed(long id, boolean duplicate) implements java.io.Serializable {}
