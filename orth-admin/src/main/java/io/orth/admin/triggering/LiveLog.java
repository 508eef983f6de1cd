package io.orth.admin.triggering;

import io.orth.protocol.LogRange;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A log that arrives from its executor as it grows. Not thread-safe. */
public interface LiveLog extends AutoCloseable {

    /**
     * Returns the next chunk, which may be empty as a sign of life; empty if none arrived within {@code patience}.
     *
     * @throws IOException if the stream broke; after the chunk that is marked as the end, the stream has ended normally
     */
    Optional<LogRange> next(Duration patience) throws IOException, InterruptedException;

    @Override
    void close();
}
