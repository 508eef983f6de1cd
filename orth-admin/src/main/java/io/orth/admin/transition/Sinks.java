package io.orth.admin.transition;

import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/** How the relay's sinks do. */
@Component
public final class Sinks {

    /**
     * A sink and what waits for it.
     *
     * @param waitingBatches how much was written, in pieces, that it has not taken
     * @param waitingSince when the oldest of that was written; null where there is nothing
     */
    public record Lag(SinkState sink, long waitingBatches, Instant waitingSince) {}

    private final SinkRepository sinks;
    private final JournalRepository journal;

    Sinks(SinkRepository sinks, JournalRepository journal) {
        this.sinks = sinks;
        this.journal = journal;
    }

    public List<Lag> list() {
        long head = journal.head();
        return sinks.list().stream()
                .map(sink -> new Lag(
                        sink,
                        Math.max(0, head - sink.position()),
                        journal.oldestAfter(sink.position()).orElse(null)))
                .toList();
    }
}
