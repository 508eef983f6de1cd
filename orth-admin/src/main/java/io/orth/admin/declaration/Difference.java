package io.orth.admin.declaration;

/**
 * A field of a job that is not what the code declares; either value may be null.
 *
 * @param field as the API calls it
 */
public record Difference(String field, String declared, String actual) {}
