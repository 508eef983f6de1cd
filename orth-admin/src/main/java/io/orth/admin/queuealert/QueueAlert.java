package io.orth.admin.queuealert;

import java.time.Instant;

/**
 * An alert that fires or has fired. Its rule and queue may have been deleted.
 *
 * @param text the finding at the last notification
 * @param told number of notifications
 * @param endedAt null while it fires
 * @param endedBy {@code RECOVERED}, or {@code RULE} if the rule was changed or deleted; null while it fires
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
