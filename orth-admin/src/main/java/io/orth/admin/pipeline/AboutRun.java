package io.orth.admin.pipeline;

import org.slf4j.spi.LoggingEventBuilder;

/**
 * Identification of a pipeline run in log lines: as fields in the admin's own log, as text in the system log. The trace id links log lines
 * of admins, executors and handlers.
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
