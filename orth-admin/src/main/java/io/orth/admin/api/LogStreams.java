package io.orth.admin.api;

import io.orth.admin.run.Runs;
import io.orth.admin.triggering.RunLogs;
import org.springframework.stereotype.Component;

/** Live run logs that are open on this node. */
@Component
final class LogStreams extends LiveStreams {

    private final Runs runs;
    private final RunLogs logs;

    LogStreams(Runs runs, RunLogs logs) {
        super("logs", "log-stream");
        this.runs = runs;
        this.logs = logs;
    }

    StreamOpening opening(long runId, long from) {
        return new StreamOpening(this, channel -> new LogStream(runs, logs, runId, from, channel));
    }
}
