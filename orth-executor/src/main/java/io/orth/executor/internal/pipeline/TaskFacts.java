package io.orth.executor.internal.pipeline;

import org.slf4j.MDC;

/** The MDC keys of a task's log lines: its pipeline run, its id and its trace. Set on the thread that executes the task. */
final class TaskFacts {

    private static final String ROOT_JOB_ID = "rootJobId";
    private static final String TASK_ID = "taskId";
    private static final String TRACE_ID = "traceId";

    private TaskFacts() {}

    static void putIntoMdc(LiveTask task) {
        MDC.put(ROOT_JOB_ID, Long.toString(task.rootJobId()));
        MDC.put(TASK_ID, Long.toString(task.taskId()));
        if (task.traceId() != null) {
            MDC.put(TRACE_ID, task.traceId());
        }
    }

    static void removeFromMdc() {
        MDC.remove(ROOT_JOB_ID);
        MDC.remove(TASK_ID);
        MDC.remove(TRACE_ID);
    }
}
