package io.orth.admin.declaration;

/** A field of a job, as the API names it, that differs from what the code declares; either value may be null. */
public record Difference(String field, String declared, String actual) {}
