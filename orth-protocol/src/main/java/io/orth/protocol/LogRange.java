package io.orth.protocol;

import java.util.Map;

/**
 * A piece of a log, never cut inside a character: bytes {@code from} (inclusive) to {@code to} (exclusive).
 *
 * @param exists whether the file is there; a run that has printed nothing has none
 * @param size the file's length when it was read
 */
public record LogRange(boolean exists, long from, long to, long size, String text) implements WireMessage {

    public static LogRange from(JsonObject json) {
        return new LogRange(
                json.flag("exists"),
                json.number("from", 0),
                json.number("to", 0),
                json.number("size", 0),
                json.text("text", ""));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("exists", exists)
                .put("from", from)
                .put("to", to)
                .put("size", size)
                .put("text", text)
                .toMap();
    }
}
