package io.orth.protocol;

import java.util.Map;

/**
 * A chunk of a log, never split inside a character: bytes {@code from} (inclusive) to {@code to} (exclusive), numbered over the whole
 * output of the run. If requested bytes before {@code from} are omitted, the text says so.
 *
 * @param exists whether the file exists; a run without output has none
 * @param size size of the output when it was read
 * @param end in a stream: the run has finished, everything is sent, and this is the last chunk
 * @param progress progress reported by the run, in percent; null if it reports none or has finished
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
