package io.orth.admin.deadletter;

/** Reference to a dead letter: its number in the list, the id of the message or run, and the queue or job that owns it. */
public record DeadRef(long no, long id, DeadKind kind, int owner) {}
