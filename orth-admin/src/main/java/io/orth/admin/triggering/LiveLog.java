package io.orth.admin.triggering;

import io.orth.protocol.LogRange;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A log that arrives from its executor as it grows; read by one thread. */
public interface LiveLog extends AutoCloseable {

    /**
     * The next piece, which may be an empty sign of life; empty when none came within {@code patience}.
     *
     * @throws IOException if the stream broke; after the piece that says it is the end, it has simply ended
     */
    Optional<LogRange> next(Duration patience) throws IOException, InterruptedException;

    @Override
    void close();
}
