package io.orth.admin.pipeline;

/** The W3C trace context under which a task is sent: the run's trace, and the attempt as the span that led to it. */
final class TraceContext {

    private TraceContext() {}

    static String parent(OutboxEntry entry) {
        return "00-%s-%016x-01".formatted(entry.traceId(), entry.id());
    }
}
