package io.orth.admin.declaration;

/** A field of a job, by its API name, that differs from the declaration; either value may be null. */
public record Difference(String field, String declared, String actual) {}
