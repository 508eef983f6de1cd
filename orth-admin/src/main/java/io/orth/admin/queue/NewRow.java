package io.orth.admin.queue;

/**
 * A message on its way in.
 *
 * @param blocked whether another message of its group comes first
 */
record NewRow(long id, MessageSpec spec, boolean blocked) {}
