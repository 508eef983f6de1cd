package io.orth.admin.transition;

import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/** State of the relay's sinks. */
@Component
public final class Sinks {

    /**
     * A sink and its backlog.
     *
     * @param waitingBatches number of batches the sink has not accepted
     * @param waitingSince write time of the oldest of them; null if there are none
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
