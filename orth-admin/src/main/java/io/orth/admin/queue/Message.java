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
 * A message as it stands.
 *
 * @param blocked whether another message of its group comes first
 * @param executorId who has it, or had it last
 * @param logId of its present or last attempt
 * @param failures what became of earlier attempts, as a JSON array; null where there were none
 * @param result what the handler said at the end
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

    /** One attempt, as far as it takes to find its log. */
    public record Attempt(long logId, long executorId, Instant startedAt) {}

    /** All attempts that were begun, the oldest first. */
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
     * @param claimedAt when its present or last attempt began; null if there was none
     */
    public record Times(Instant pushedAt, Instant dueAt, Instant statusAt, Instant claimedAt) {}

    /**
     * Why it became a dead letter.
     *
     * @param no counts dead letters
     * @param stack null if none was reported
     * @param fingerprint the same for failures of one kind
     */
    public record Death(Long no, String cause, String error, String stack, String fingerprint) {

        /** Of a message that was not given up. */
        public static final Death NONE = new Death(null, null, null, null, null);
    }
}
