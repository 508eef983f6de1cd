package io.orth.admin.queue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.Backoff;
import java.time.Instant;

/**
 * A queue and its settings.
 *
 * @param groupId the executor group that works on it; null until the first executor polls it
 * @param version starts at 1 and rises with each change of the settings
 */
public record Queue(
        @JsonIgnore int id,
        String name,
        Integer groupId,
        boolean paused,
        int maxAttempts,
        Backoff backoff,
        @JsonUnwrapped Limits limits,
        int version,
        Instant createdAt) {

    /** Limits of the whole cluster: messages started per second, and running concurrently; null for no limit. */
    public record Limits(
            @JsonProperty("rateLimit") Integer rate,
            @JsonProperty("concurrencyLimit") Integer concurrency) {

        public static final Limits NONE = new Limits(null, null);

        boolean any() {
            return rate != null || concurrency != null;
        }
    }
}
