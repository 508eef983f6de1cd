package io.orth.admin.triggering;

import io.orth.protocol.Json;
import io.orth.protocol.LogRange;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A log that arrives from its executor as it grows; read by one thread. */
public final class LiveLog implements AutoCloseable {

    private final LineBody lines;

    LiveLog(LineBody lines) {
        this.lines = lines;
    }

    /**
     * The next piece, which may be an empty sign of life; empty when none came within {@code patience}.
     *
     * @throws IOException if the stream broke; after the piece that says it is the end, it has simply ended
     */
    public Optional<LogRange> next(Duration patience) throws IOException, InterruptedException {
        try {
            return lines.next(patience).map(line -> LogRange.from(Json.readObject(line)));
        } catch (WireFormatException e) {
            throw new IOException("the executor sent something else than its log", e);
        }
    }

    @Override
    public void close() {
        lines.cancel();
    }
}
