package io.orth.admin.triggering;

import io.orth.protocol.Json;
import io.orth.protocol.LogRange;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A log that its executor streams. */
final class StreamedLog implements LiveLog {

    private final LineBody lines;

    StreamedLog(LineBody lines) {
        this.lines = lines;
    }

    @Override
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
