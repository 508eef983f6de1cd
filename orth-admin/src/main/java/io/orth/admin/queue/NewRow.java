package io.orth.admin.queue;

/** A message to be inserted; it is blocked if another one of its group comes first. */
record NewRow(long id, MessageSpec spec, boolean blocked) {}
