package io.orth.admin.queuealert;

import java.time.Instant;

/**
 * Something that fires, or has. Its rule and its queue may be gone by now.
 *
 * @param text what was found when people were last told
 * @param told how often they were
 * @param endedAt null while it fires
 * @param endedBy {@code RECOVERED}, or {@code RULE} where the rule was changed or deleted; null while it fires
 */
public record QueueAlert(
        long id,
        int ruleId,
        String ruleName,
        AlertKind kind,
        String queue,
        String text,
        Instant firedAt,
        int told,
        Instant toldAt,
        Instant endedAt,
        String endedBy) {}
