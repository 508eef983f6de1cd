package io.orth.admin.queue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A message in its current status.
 *
 * @param blocked whether another message with the same ordering key comes first
 * @param executorId its current or last executor
 * @param logId log of its current or last attempt
 * @param failures its failed attempts, as a JSON array; null if there are none
 * @param result result of the handler
 */
public record Message(
        long id,
        @JsonIgnore int queueId,
        MessageStatus status,
        Lane lane,
        boolean blocked,
        int attempt,
        int maxAttempts,
        @JsonUnwrapped Times times,
        Long executorId,
        Long logId,
        String uniqueKey,
        String groupKey,
        String traceId,
        Map<String, String> metadata,
        @JsonIgnore String failures,
        @JsonIgnore Death death,
        String result,
        String payload) {

    /** An attempt, with the data needed to find its log. */
    public record Attempt(long logId, long executorId, Instant startedAt) {}

    /** Returns all attempts that were started, oldest first. */
    public List<Attempt> attempts() {
        List<Attempt> attempts = new ArrayList<>(failedAttempts());
        if (logId != null && attempts.stream().noneMatch(attempt -> attempt.logId() == logId)) {
            attempts.add(new Attempt(logId, executorId, times.claimedAt()));
        }
        return attempts;
    }

    private List<Attempt> failedAttempts() {
        if (failures == null) {
            return List.of();
        }
        return Json.readArray(failures.getBytes(StandardCharsets.UTF_8)).stream()
                .map(failure -> new Attempt(
                        failure.requiredNumber("logId"),
                        failure.requiredNumber("executorId"),
                        OffsetDateTime.parse(failure.requiredText("startedAt")).toInstant()))
                .toList();
    }

    /**
     * @param dueAt null for a dead letter
     * @param claimedAt when its current or last attempt started; null if there was none
     */
    public record Times(Instant pushedAt, Instant dueAt, Instant statusAt, Instant claimedAt) {}

    /**
     * Why the message was dead-lettered.
     *
     * @param no its number in the list of dead letters
     * @param stack null if none was reported
     * @param fingerprint the same for failures of one kind
     */
    public record Death(Long no, String cause, String error, String stack, String fingerprint) {

        /** For messages that are not dead letters. */
        public static final Death NONE = new Death(null, null, null, null, null);
    }
}
