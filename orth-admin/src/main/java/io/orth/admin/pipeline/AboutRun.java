package io.orth.admin.pipeline;

import org.slf4j.spi.LoggingEventBuilder;

/**
 * How lines about a run tell which: in the admin's own log by fields, in the system log, whose lines are text, by the same two in
 * the text. With the trace's id what admins, executors and handlers say about a run is found together.
 */
final class AboutRun {

    private AboutRun() {}

    static LoggingEventBuilder in(LoggingEventBuilder line, long rootId, String traceId) {
        return line.addKeyValue("rootJobId", rootId).addKeyValue("traceId", traceId);
    }

    static LoggingEventBuilder in(LoggingEventBuilder line, PipelineRun run) {
        return in(line, run.id(), run.traceId());
    }

    static String text(long rootId, String traceId) {
        return "pipeline run %d (trace %s)".formatted(rootId, traceId);
    }
}
