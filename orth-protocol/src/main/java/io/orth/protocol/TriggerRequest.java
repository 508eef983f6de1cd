package io.orth.protocol;

import java.util.Map;

/**
 * "Run this": one execution of one job on one executor.
 *
 * @param jobId which lane of the executor it belongs to
 * @param handler name of the handler ({@code executorHandler} on the wire)
 * @param params what the handler gets, never null ({@code executorParams} on the wire)
 * @param blockStrategy what to do when the job's lane is busy ({@code executorBlockStrategy} on the wire)
 * @param timeoutSeconds 0 for none ({@code executorTimeout} on the wire)
 * @param logId the run's id; a repeated one is acknowledged, not run again
 * @param logDateTime trigger time in milliseconds; picks the log file's day
 * @param scheduleTime the planned instant in milliseconds, null when triggered by hand
 * @param shardIndex 0 when not sharding ({@code broadcastIndex} on the wire)
 * @param shardTotal 1 when not sharding ({@code broadcastTotal} on the wire)
 * @param instanceId the executor instance this is meant for; another one refuses it. Null from foreign admins
 * @param dispatch counts the sends of this run, from 1
 */
public record TriggerRequest(
        int jobId,
        String handler,
        String params,
        String blockStrategy,
        int timeoutSeconds,
        long logId,
        long logDateTime,
        Long scheduleTime,
        int shardIndex,
        int shardTotal,
        String instanceId,
        int dispatch,
        String traceId)
        implements WireMessage {

    public static final String SERIAL = "SERIAL_EXECUTION";

    private static final String METHOD_HANDLER = "BEAN";

    public static TriggerRequest from(JsonObject json) {
        long logId = json.requiredNumber("logId");
        if (logId <= 0) {
            throw new WireFormatException("'logId' must be positive");
        }
        return new TriggerRequest(
                json.integer("jobId", 0),
                json.text("executorHandler"),
                json.text("executorParams", ""),
                json.text("executorBlockStrategy", SERIAL),
                json.integer("executorTimeout", 0),
                logId,
                json.requiredNumber("logDateTime"),
                json.optionalNumber("scheduleTime").orElse(null),
                json.integer("broadcastIndex", 0),
                json.integer("broadcastTotal", 1),
                json.text("instanceId"),
                json.integer("dispatch", 1),
                json.text("traceId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("jobId", jobId)
                .put("executorHandler", handler)
                .put("executorParams", params)
                .put("executorBlockStrategy", blockStrategy)
                .put("executorTimeout", timeoutSeconds)
                .put("logId", logId)
                .put("logDateTime", logDateTime)
                .put("glueType", METHOD_HANDLER)
                .put("glueUpdatetime", 0L)
                .put("broadcastIndex", shardIndex)
                .put("broadcastTotal", shardTotal)
                .put("scheduleTime", scheduleTime)
                .put("instanceId", instanceId)
                .put("dispatch", dispatch)
                .put("traceId", traceId)
                .toMap();
    }
}
