package io.orth.admin.queue;

/** A message to insert. It is blocked if another message with the same ordering key comes first. */
record NewRow(long id, MessageSpec spec, boolean blocked) {}
