package io.orth.client;

import io.orth.protocol.JsonObject;

/**
 * A piece of a run's log.
 *
 * @param exists whether there is a log
 * @param from the byte it begins at
 * @param to where the next piece begins
 * @param size how long the log is by now
 * @param end whether the run has ended and nothing follows
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
