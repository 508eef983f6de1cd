package io.orth.admin.systemlog;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.kernel.Node;
import io.orth.runtime.Duty;
import io.orth.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The system log of one admin; the test runs each of its loops. */
final class LogNode {

    static final long ROOM = 1 << 20;

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final LiveLines live = new LiveLines();
    final Backlog backlog = new Backlog();
    final SystemLog log;
    final LogArchiver archiver;
    final LogTail tail;

    LogNode(String id, SystemLogArchive archive, Path spillDir, ManualClock clock) {
        this(id, archive, spillDir, ROOM, clock);
    }

    LogNode(String id, SystemLogArchive archive, Path spillDir, long room, ManualClock clock) {
        SystemLogMetrics metrics = new SystemLogMetrics(registry);
        Node node = new Node(id, "host", 1, "test");
        log = new LogPublisher(node, clock, live, backlog, metrics);
        archiver = new LogArchiver(
                log, backlog, new LogSpill(spillDir, id, room), archive, metrics, clock.ticker()::getAsLong);
        tail = new LogTail(archive, live, clock.ticker()::getAsLong);
    }

    /** Runs passes until the archiver reports that nothing is left. */
    void archive() throws IOException {
        while (archiver.run() == Duty.Pass.MORE) {
            // Each pass takes a batch.
        }
    }

    List<String> shown() {
        return live.newest().stream().map(LogLine::message).toList();
    }

    double counted(String name) {
        return registry.get("orth.system.log." + name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    double waiting() {
        return registry.get("orth.system.log.backlog").gauge().value();
    }
}
