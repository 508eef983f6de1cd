package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;

/**
 * One message to one channel, as people see it.
 *
 * @param sendAt when it is, or was last, to be sent
 * @param runs how many runs it is about
 * @param firstRun one of them; null where none is kept any more
 * @param notices how many alerts on queues it is about
 * @param pipelineRunCount how many runs of pipelines it is about
 * @param samplePipelineRunId one of them; null where there is none
 * @param endedAt null while it is pending
 * @param error what the last failed try said; null where none failed
 */
public record Alarm(
        long id,
        int channelId,
        String channelName,
        AlarmStatus status,
        Instant createdAt,
        Instant sendAt,
        int tries,
        long runs,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Long firstRun,
        long notices,
        long pipelineRunCount,
        Long samplePipelineRunId,
        Instant endedAt,
        String error) {}
