package io.orth.executor;

import io.orth.protocol.TriggerRequest;
import java.time.Instant;

/** Triggers for tests: of a job, to a handler, with what the test is about. */
public final class Triggers {

    public static final long TRIGGERED_AT = 1_893_499_200_000L; // 2030-01-01T12:00:00Z

    private Triggers() {}

    public static TriggerRequest trigger(int jobId, String handler, long logId) {
        return trigger(jobId, handler, logId, "", null);
    }

    /** The context of a test run. */
    public static OrthJobContext runOf(long logId) {
        return new OrthJobContext(1, "", logId, null, Instant.ofEpochMilli(TRIGGERED_AT), 0, 1, null);
    }

    public static TriggerRequest trigger(int jobId, String handler, long logId, String params, String instanceId) {
        return TriggerRequest.of(jobId, handler, logId, TRIGGERED_AT)
                .params(params)
                .scheduleTime(TRIGGERED_AT - 5)
                .instanceId(instanceId)
                .traceId("trace-1")
                .build();
    }
}
