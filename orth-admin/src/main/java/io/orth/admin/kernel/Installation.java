package io.orth.admin.kernel;

/**
 * The installation this node belongs to.
 *
 * @param environment what it is called, such as test or production; may be empty
 * @param database {@code embedded} or {@code external}
 */
public record Installation(String environment, String database) {}
