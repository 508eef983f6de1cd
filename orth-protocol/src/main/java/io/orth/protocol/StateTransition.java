package io.orth.protocol;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Function;

/**
 * A state transition as delivered to sinks and watchers. Entity, id and sequence identify it, so repeated deliveries can be recognized.
 *
 * @param entity kind of entity, such as RUN
 * @param sequence counts the transitions of one entity, from 1, without gaps
 * @param from null if the entity was created
 * @param millisInFrom time spent in the old state; null if the entity was created
 * @param cause cause as a stable upper-case word
 * @param work the work concerned, as far as it is known
 * @param writer the thread that made the change
 * @param executor the executor instance concerned, if any
 */
public record StateTransition(
        String entity,
        long entityId,
        int sequence,
        String from,
        String to,
        Instant at,
        Long millisInFrom,
        String cause,
        Work work,
        Writer writer,
        Executor executor,
        String traceId)
        implements ToldMessage {

    /**
     * The work that an entity is part of; each field is null if it does not apply.
     *
     * @param scheduleTime fire time the run was created for
     * @param rootId the entity at the start of the chain; the entity's own id if there is no predecessor
     * @param queue queue of a message
     * @param pipeline pipeline of a run, of a task, or of the task that a message carries
     * @param taskId the task that a message carries
     * @param attempt attempt of the message or task, from 1
     */
    public record Work(
            Integer jobId,
            String jobName,
            String handler,
            Integer groupId,
            Instant scheduleTime,
            Long rootId,
            String queue,
            String pipeline,
            String stage,
            String targetType,
            String targetId,
            Long taskId,
            Integer attempt) {

        public static final Work UNKNOWN = new Work(null, null, null, null, null, null);

        public Work(Integer jobId, String jobName, String handler, Integer groupId, Instant scheduleTime, Long rootId) {
            this(jobId, jobName, handler, groupId, scheduleTime, rootId, null, null, null, null, null, null, null);
        }

        public static Work ofQueue(String queue) {
            return new Work(null, null, null, null, null, null, queue, null, null, null, null, null, null);
        }

        public static Work ofPipelineRun(long rootId, String pipeline) {
            return new Work(null, pipeline, null, null, null, rootId, null, pipeline, null, null, null, null, null);
        }

        public static Work ofTask(
                long rootId, String pipeline, String stage, String handler, String targetType, String targetId) {
            return new Work(
                    null, null, handler, null, null, rootId, null, pipeline, stage, targetType, targetId, null, null);
        }

        /** Returns the work of a message that carries this task. */
        public Work inMessage(String messageQueue, long task) {
            return new Work(
                    jobId,
                    jobName,
                    handler,
                    groupId,
                    scheduleTime,
                    rootId,
                    messageQueue,
                    pipeline,
                    stage,
                    targetType,
                    targetId,
                    task,
                    attempt);
        }

        /** @param number null or 0 before the first attempt */
        public Work atAttempt(Integer number) {
            return number == null || number < 1
                    ? this
                    : new Work(
                            jobId,
                            jobName,
                            handler,
                            groupId,
                            scheduleTime,
                            rootId,
                            queue,
                            pipeline,
                            stage,
                            targetType,
                            targetId,
                            taskId,
                            number);
        }

        static Work from(JsonObject json) {
            return new Work(
                    json.has("jobId") ? json.requiredInteger("jobId") : null,
                    json.text("jobName"),
                    json.text("handler"),
                    json.has("groupId") ? json.requiredInteger("groupId") : null,
                    instant(json, "scheduleTime"),
                    json.optionalNumber("rootId").orElse(null),
                    json.text("queue"),
                    json.text("pipeline"),
                    json.text("stage"),
                    json.text("targetType"),
                    json.text("targetId"),
                    json.optionalNumber("taskId").orElse(null),
                    json.has("attempt") ? json.requiredInteger("attempt") : null);
        }

        void tell(FieldSink fields) {
            fields.put("jobId", text(jobId))
                    .put("jobName", jobName)
                    .put("handler", handler)
                    .put("groupId", text(groupId))
                    .put("scheduleTime", text(scheduleTime))
                    .put("rootId", text(rootId))
                    .put("queue", queue)
                    .put("pipeline", pipeline)
                    .put("stage", stage)
                    .put("targetType", targetType)
                    .put("targetId", targetId)
                    .put("taskId", text(taskId))
                    .put("attempt", attempt);
        }
    }

    /** A thread of an admin process. */
    public record Writer(String node, String host, long pid, String version, String thread) {

        static Writer from(JsonObject json) {
            return new Writer(
                    json.requiredText("node"),
                    json.text("host", ""),
                    json.number("pid", 0),
                    json.text("version", ""),
                    json.text("thread", ""));
        }

        void tell(FieldSink fields) {
            fields.put("node", node)
                    .put("host", host)
                    .put("pid", pid)
                    .put("version", version)
                    .put("thread", thread);
        }
    }

    /**
     * One boot of one executor.
     *
     * @param pid 0 if not reported
     */
    public record Executor(long id, String instance, String host, long pid, String address) {

        static Executor from(JsonObject json) {
            return new Executor(
                    json.requiredNumber("id"),
                    json.text("instance", ""),
                    json.text("host", ""),
                    json.number("pid", 0),
                    json.text("address", ""));
        }

        void tell(FieldSink fields) {
            fields.put("id", text(id))
                    .put("instance", instance)
                    .put("host", host)
                    .put("pid", pid)
                    .put("address", address);
        }
    }

    /** Returns a copy with these facts added. */
    public StateTransition told(Work about, Writer by, Executor concerned) {
        return new StateTransition(
                entity, entityId, sequence, from, to, at, millisInFrom, cause, about, by, concerned, traceId);
    }

    public static StateTransition from(JsonObject json) {
        return new StateTransition(
                json.requiredText("entity"),
                json.requiredNumber("entityId"),
                sequence(json),
                json.text("from"),
                json.requiredText("to"),
                parse("at", json.requiredText("at")),
                json.optionalNumber("millisInFrom").orElse(null),
                json.requiredText("cause"),
                json.object("work").map(Work::from).orElse(Work.UNKNOWN),
                json.object("writer").map(Writer::from).orElse(null),
                json.object("executor").map(Executor::from).orElse(null),
                json.text("traceId"));
    }

    /** Returns the items as JSON, one per line; each line starts with the item's id. */
    public static <T> byte[] toJsonLines(
            Collection<T> told, Function<T, String> id, Function<T, StateTransition> transition) {
        return Json.lines(told, (each, fields) -> transition.apply(each).tell(fields.put("id", id.apply(each))));
    }

    @Override
    public void tell(FieldSink fields) {
        fields.put("entity", entity)
                .put("entityId", text(entityId))
                .put("sequence", sequence)
                .put("from", from)
                .put("to", to)
                .put("at", text(at))
                .put("millisInFrom", millisInFrom)
                .put("cause", cause)
                .putObject("work", work.equals(Work.UNKNOWN) ? null : work::tell)
                .putObject("writer", writer == null ? null : writer::tell)
                .putObject("executor", executor == null ? null : executor::tell)
                .put("traceId", traceId);
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private static int sequence(JsonObject json) {
        int sequence = json.requiredInteger("sequence");
        if (sequence < 1) {
            throw new WireFormatException("'sequence' must be positive");
        }
        return sequence;
    }

    private static Instant instant(JsonObject json, String name) {
        String text = json.text(name);
        return text == null ? null : parse(name, text);
    }

    private static Instant parse(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new WireFormatException("'%s' must be an instant".formatted(name), e);
        }
    }
}
