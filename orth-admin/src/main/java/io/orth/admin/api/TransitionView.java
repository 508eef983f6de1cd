package io.orth.admin.api;

import io.orth.protocol.StateTransition;
import java.time.Instant;

/**
 * One change of state.
 *
 * @param entity what kind of thing changed: RUN, EXECUTOR or JOB
 * @param from null where it was created
 * @param millisInFrom time spent in the old state; null where it was created
 * @param work what it was about
 * @param writer the thread of an admin that made the change
 * @param executor the executor instance concerned, if any
 */
record TransitionView(
        String entity,
        String entityId,
        int sequence,
        String from,
        String to,
        Instant at,
        Long millisInFrom,
        String cause,
        WorkView work,
        WriterView writer,
        ExecutorView executor,
        String traceId) {

    /**
     * The work an entity is part of; what is not known is null.
     *
     * @param rootId the entity that all began with
     * @param queue the queue that a message is in
     * @param pipeline the pipeline of a run, of a task, or of the task that a message carries
     * @param taskId the task that a message carries
     * @param attempt the attempt of a message or task that the transition belongs to
     */
    record WorkView(
            String jobId,
            String jobName,
            String handler,
            String groupId,
            Instant scheduleTime,
            String rootId,
            String queue,
            String pipeline,
            String stage,
            String targetType,
            String targetId,
            String taskId,
            Integer attempt) {}

    /** A thread of an admin process. */
    record WriterView(String node, String host, long pid, String version, String thread) {}

    /** One boot of one executor. */
    record ExecutorView(String id, String instance, String host, long pid, String address) {}

    static TransitionView of(StateTransition change) {
        return new TransitionView(
                change.entity(),
                Long.toString(change.entityId()),
                change.sequence(),
                change.from(),
                change.to(),
                change.at(),
                change.millisInFrom(),
                change.cause(),
                work(change.work()),
                writer(change.writer()),
                executor(change.executor()),
                change.traceId());
    }

    private static WorkView work(StateTransition.Work work) {
        return new WorkView(
                text(work.jobId()),
                work.jobName(),
                work.handler(),
                text(work.groupId()),
                work.scheduleTime(),
                text(work.rootId()),
                work.queue(),
                work.pipeline(),
                work.stage(),
                work.targetType(),
                work.targetId(),
                text(work.taskId()),
                work.attempt());
    }

    private static WriterView writer(StateTransition.Writer writer) {
        return writer == null
                ? null
                : new WriterView(writer.node(), writer.host(), writer.pid(), writer.version(), writer.thread());
    }

    private static ExecutorView executor(StateTransition.Executor executor) {
        return executor == null
                ? null
                : new ExecutorView(
                        Long.toString(executor.id()),
                        executor.instance(),
                        executor.host(),
                        executor.pid(),
                        executor.address());
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }
}
