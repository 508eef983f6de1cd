package io.orth.admin.systemlog;

import io.orth.admin.kernel.Node;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Entry point for lines of this node: shows them immediately and archives them later. */
@Component
final class LogPublisher implements SystemLog {

    private static final Logger log = LoggerFactory.getLogger(LogPublisher.class);

    private final Node node;
    private final Clock clock;
    private final LiveLines live;
    private final Backlog backlog;
    private final SystemLogMetrics metrics;
    private final AtomicLong numbers = new AtomicLong();

    LogPublisher(Node node, Clock clock, LiveLines live, Backlog backlog, SystemLogMetrics metrics) {
        this.node = node;
        this.clock = clock;
        this.live = live;
        this.backlog = backlog;
        this.metrics = metrics;
    }

    @Override
    public void publish(LogLevel level, String message, String workerId, String queue) {
        try {
            LogLevel said = level == null ? LogLevel.INFO : level;
            LogLine line =
                    new LogLine(node.id(), numbers.incrementAndGet(), clock.instant(), said, message, workerId, queue);
            metrics.published(said);
            live.add(line);
            if (!backlog.offer(line)) {
                metrics.dropped(1);
            }
        } catch (RuntimeException e) {
            // The caller must not fail because of a log line.
            log.atWarn().setCause(e).log("a line of the system log could not be taken");
        }
    }
}
