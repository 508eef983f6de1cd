package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;

/**
 * One message to one channel.
 *
 * @param runs number of failed runs it is about
 * @param firstRun one of them; null if all have been deleted
 * @param notices number of queue alerts it is about
 * @param samplePipelineRunId one of {@code pipelineRunCount} failed pipeline runs; null if there are none
 * @param endedAt null while it is pending
 * @param error the error of the last failed attempt; null if none failed
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
