package io.orth.executor.internal.pipeline;

import io.orth.executor.OrthJobContext;
import io.orth.executor.QueueMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * By what lines of a log about a task are found: its run, itself and the trace. They are in the MDC of the thread that works on it, and
 * are fields of what other threads say about it.
 */
final class TaskFacts {

    private static final String ROOT_JOB_ID = "rootJobId";
    private static final String TASK_ID = "taskId";
    private static final String TRACE_ID = "traceId";
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    /** Only what is known. */
    private final Map<String, String> known = new LinkedHashMap<>();

    private TaskFacts(String rootJobId, String taskId, String traceId) {
        add(ROOT_JOB_ID, rootJobId);
        add(TASK_ID, taskId);
        add(TRACE_ID, traceId);
    }

    private void add(String name, String value) {
        if (value != null) {
            known.put(name, value);
        }
    }

    /** As the message says that brought it. */
    static TaskFacts of(QueueMessage message) {
        Map<String, String> said = message.metadata();
        return new TaskFacts(
                said.get(StageRun.ROOT), said.get(StageRun.TASK), traceIn(said.getOrDefault(StageRun.TRACEPARENT, "")));
    }

    static TaskFacts of(OrthJobContext run) {
        return of(run.message().orElseThrow());
    }

    /** As the admin says. */
    static TaskFacts of(LiveTask task) {
        return new TaskFacts(Long.toString(task.rootJobId()), Long.toString(task.taskId()), task.traceId());
    }

    private static String traceIn(String traceparent) {
        Matcher matcher = TRACEPARENT.matcher(traceparent);
        return matcher.matches() ? matcher.group(1) : null;
    }

    void putIntoMdc() {
        known.forEach(MDC::put);
    }

    static void removeFromMdc() {
        MDC.remove(ROOT_JOB_ID);
        MDC.remove(TASK_ID);
        MDC.remove(TRACE_ID);
    }

    LoggingEventBuilder in(LoggingEventBuilder line) {
        LoggingEventBuilder with = line;
        for (Map.Entry<String, String> fact : known.entrySet()) {
            with = with.addKeyValue(fact.getKey(), fact.getValue());
        }
        return with;
    }
}
