package io.orth.admin.api;

import io.orth.admin.run.Runs;
import io.orth.admin.triggering.RunLogs;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The live logs being watched on this node. */
@Component
final class LogStreams extends LiveStreams {

    private final Runs runs;
    private final RunLogs logs;

    LogStreams(Runs runs, RunLogs logs) {
        super("logs", "log-stream");
        this.runs = runs;
        this.logs = logs;
    }

    SseEmitter open(long runId, long from) {
        return watch(emitter -> new LogStream(runs, logs, runId, from, emitter));
    }
}
