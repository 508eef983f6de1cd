package io.orth.protocol;

import java.util.Map;

/**
 * Growth of the delay before a further attempt: {@code initialDelayMillis × multiplier^(attempt − 1)}, at most {@code maxDelayMillis}.
 * The admin decides about null fields.
 *
 * @param jitter share of a delay, 0 to 1, by which it is shortened or lengthened at random
 */
public record BackoffMillis(Long initialDelayMillis, Double multiplier, Long maxDelayMillis, Double jitter)
        implements WireMessage {

    public static BackoffMillis from(JsonObject json) {
        return new BackoffMillis(
                json.optionalNumber("initialDelayMillis").orElse(null),
                decimal(json, "multiplier"),
                json.optionalNumber("maxDelayMillis").orElse(null),
                decimal(json, "jitter"));
    }

    private static Double decimal(JsonObject json, String name) {
        return json.has(name) ? (Double) json.decimal(name, 0) : null;
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("initialDelayMillis", initialDelayMillis)
                .put("multiplier", multiplier)
                .put("maxDelayMillis", maxDelayMillis)
                .put("jitter", jitter)
                .toMap();
    }
}
