package io.orth.client;

import io.orth.protocol.JsonObject;

/**
 * A chunk of a run's log.
 *
 * @param exists whether there is a log
 * @param from the offset of the first byte
 * @param to the offset of the next chunk
 * @param size the current size of the log in bytes
 * @param end whether the run is finished and nothing follows
 */
public record LogPiece(boolean exists, long from, long to, long size, String text, boolean end) {

    static LogPiece of(JsonObject json) {
        return new LogPiece(
                json.flag("exists"),
                json.number("from", 0),
                json.number("to", 0),
                json.number("size", 0),
                json.text("text", ""),
                json.flag("end"));
    }
}
