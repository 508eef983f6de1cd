package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/** A stored channel. {@code version} rises with each edit. */
public record Channel(int id, @JsonUnwrapped ChannelSpec spec, int version, Instant createdAt, Instant updatedAt) {}
