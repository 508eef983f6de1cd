package io.orth.admin.registry;

import java.time.Instant;

/** Group of interchangeable executors: they have the same handlers and share one token. */
public record ExecutorGroup(int id, String name, String title, int online, Instant createdAt) {}
