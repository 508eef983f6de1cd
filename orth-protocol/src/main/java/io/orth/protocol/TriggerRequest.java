package io.orth.protocol;

import java.util.Map;

/**
 * Request to execute one run on one executor.
 *
 * @param jobId selects the lane of the executor
 * @param handler name of the handler ({@code executorHandler} on the wire)
 * @param params parameter for the handler, never null ({@code executorParams} on the wire)
 * @param blockStrategy behavior if the job's lane is busy ({@code executorBlockStrategy} on the wire)
 * @param concurrency maximum number of concurrent runs if the strategy is CONCURRENT, at least 1 ({@code executorConcurrency} on the
 *     wire)
 * @param timeoutSeconds 0 for none ({@code executorTimeout} on the wire)
 * @param glue the source to execute, or {@link Glue#NONE}
 * @param logId id of the run; a repeated one is acknowledged, not executed again
 * @param logDateTime trigger time in milliseconds; selects the log file's day
 * @param scheduleTime fire time in milliseconds; null if triggered manually
 * @param shardIndex 0 if not sharded ({@code broadcastIndex} on the wire)
 * @param shardTotal 1 if not sharded ({@code broadcastTotal} on the wire)
 * @param instanceId intended executor instance; any other instance rejects the request. Null from XXL-JOB admins
 * @param dispatch number of this dispatch of the run, from 1
 * @param attempt attempt of the job, from 1; omitted on the wire for the first attempt
 */
public record TriggerRequest(
        int jobId,
        String handler,
        String params,
        BlockStrategy blockStrategy,
        int concurrency,
        int timeoutSeconds,
        Glue glue,
        long logId,
        long logDateTime,
        Long scheduleTime,
        int shardIndex,
        int shardTotal,
        String instanceId,
        int dispatch,
        int attempt,
        String traceId)
        implements WireMessage {

    public static TriggerRequest from(JsonObject json) {
        long logId = json.requiredNumber("logId");
        if (logId <= 0) {
            throw new WireFormatException("'logId' must be positive");
        }
        return new TriggerRequest(
                json.integer("jobId", 0),
                json.text("executorHandler"),
                json.text("executorParams", ""),
                BlockStrategy.ofWireName(json.text("executorBlockStrategy")),
                Math.max(1, json.integer("executorConcurrency", 1)),
                Math.max(0, json.integer("executorTimeout", 0)),
                Glue.from(json),
                logId,
                json.requiredNumber("logDateTime"),
                json.optionalNumber("scheduleTime").orElse(null),
                json.integer("broadcastIndex", 0),
                json.integer("broadcastTotal", 1),
                json.text("instanceId"),
                json.integer("dispatch", 1),
                Math.max(1, json.integer("attempt", 1)),
                json.text("traceId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("jobId", jobId)
                .put("executorHandler", handler)
                .put("executorParams", params)
                .put("executorBlockStrategy", blockStrategy.wireName())
                .put("executorConcurrency", concurrency)
                .put("executorTimeout", timeoutSeconds)
                .put("logId", logId)
                .put("logDateTime", logDateTime)
                .put("glueType", glue.type())
                .put("glueSource", glue.source())
                .put("glueUpdatetime", glue.updatedAt())
                .put("broadcastIndex", shardIndex)
                .put("broadcastTotal", shardTotal)
                .put("scheduleTime", scheduleTime)
                .put("instanceId", instanceId)
                .put("dispatch", dispatch)
                .put("attempt", attempt == 1 ? null : attempt)
                .put("traceId", traceId)
                .toMap();
    }

    /** Returns a builder for a trigger of a handler. */
    public static Builder of(int jobId, String handler, long logId, long logDateTime) {
        return new Builder(jobId, handler, logId, logDateTime);
    }

    /** Builder with the defaults of a plain trigger; each method sets the component of its name. */
    public static final class Builder {

        private final int jobId;
        private final String handler;
        private final long logId;
        private final long logDateTime;
        private String params = "";
        private BlockStrategy blockStrategy = BlockStrategy.SERIAL;
        private int concurrency = 1;
        private int timeoutSeconds;
        private Glue glue = Glue.NONE;
        private Long scheduleTime;
        private int shardIndex;
        private int shardTotal = 1;
        private String instanceId;
        private int dispatch = 1;
        private int attempt = 1;
        private String traceId;

        private Builder(int jobId, String handler, long logId, long logDateTime) {
            this.jobId = jobId;
            this.handler = handler;
            this.logId = logId;
            this.logDateTime = logDateTime;
        }

        public Builder params(String value) {
            params = value;
            return this;
        }

        public Builder blockStrategy(BlockStrategy value) {
            blockStrategy = value;
            return this;
        }

        public Builder concurrency(int value) {
            concurrency = value;
            return this;
        }

        public Builder timeoutSeconds(int value) {
            timeoutSeconds = value;
            return this;
        }

        public Builder glue(Glue value) {
            glue = value;
            return this;
        }

        public Builder scheduleTime(Long value) {
            scheduleTime = value;
            return this;
        }

        public Builder shard(int index, int total) {
            shardIndex = index;
            shardTotal = total;
            return this;
        }

        public Builder instanceId(String value) {
            instanceId = value;
            return this;
        }

        public Builder dispatch(int value) {
            dispatch = value;
            return this;
        }

        public Builder attempt(int value) {
            attempt = value;
            return this;
        }

        public Builder traceId(String value) {
            traceId = value;
            return this;
        }

        public TriggerRequest build() {
            return new TriggerRequest(
                    jobId,
                    handler,
                    params,
                    blockStrategy,
                    concurrency,
                    timeoutSeconds,
                    glue,
                    logId,
                    logDateTime,
                    scheduleTime,
                    shardIndex,
                    shardTotal,
                    instanceId,
                    dispatch,
                    attempt,
                    traceId);
        }
    }
}
