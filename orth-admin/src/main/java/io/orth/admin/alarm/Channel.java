package io.orth.admin.alarm;

import java.time.Instant;

/** A channel as it is kept; {@code version} rises with each edit. */
public record Channel(int id, ChannelSpec spec, int version, Instant createdAt, Instant updatedAt) {}
