package io.orth.admin.kernel;

/**
 * A status change that has happened in the current transaction.
 *
 * @param from null where the row was created
 */
public record StateChange(EntityKind entity, MovedRow row, String from, String to, String cause) {}
