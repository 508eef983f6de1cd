package io.orth.protocol;

import java.util.Map;

/**
 * A piece of a log, never cut inside a character: bytes {@code from} (inclusive) to {@code to} (exclusive), numbered in all
 * that the run has printed. Where bytes in front of {@code from} were asked for and are left out, the text says so.
 *
 * @param exists whether the file is there; a run that has printed nothing has none
 * @param size how much had been printed when it was read
 * @param end in a stream: the run has ended here, all is sent, and this is the last piece
 * @param progress how far the run says it is, in percent; null if it does not say or goes on no longer
 */
public record LogRange(boolean exists, long from, long to, long size, String text, boolean end, Integer progress)
        implements WireMessage {

    public LogRange(boolean exists, long from, long to, long size, String text) {
        this(exists, from, to, size, text, false, null);
    }

    public LogRange asEnd() {
        return new LogRange(exists, from, to, size, text, true, progress);
    }

    public LogRange withProgress(Integer percent) {
        return new LogRange(exists, from, to, size, text, end, percent);
    }

    public static LogRange from(JsonObject json) {
        return new LogRange(
                json.flag("exists"),
                json.number("from", 0),
                json.number("to", 0),
                json.number("size", 0),
                json.text("text", ""),
                json.flag("end"),
                json.has("progress") ? json.integer("progress", 0) : null);
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("exists", exists)
                .put("from", from)
                .put("to", to)
                .put("size", size)
                .put("text", text)
                .put("end", end ? Boolean.TRUE : null)
                .put("progress", progress)
                .toMap();
    }
}
