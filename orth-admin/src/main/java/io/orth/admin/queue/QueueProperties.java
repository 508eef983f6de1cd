package io.orth.admin.queue;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What holds for queues.
 *
 * @param maxPayload how large a message's payload may be
 * @param maxAttempts how often messages of a new queue are tried
 * @param retryFirst how long a new queue's messages wait after the first failed attempt
 * @param retryFactor by how much that grows with each further one
 * @param retryMost and how long it becomes
 * @param maxQueues how many queues there may be
 * @param keepReports how long it is kept what happened in which minute
 * @param keepDead how long messages are kept that were given up
 */
@ConfigurationProperties("orth.queue")
public record QueueProperties(
        @DefaultValue("256KB") DataSize maxPayload,
        @DefaultValue("3") int maxAttempts,
        @DefaultValue("1s") Duration retryFirst,
        @DefaultValue("2") double retryFactor,
        @DefaultValue("1h") Duration retryMost,
        @DefaultValue("10000") int maxQueues,
        @DefaultValue("7d") Duration keepReports,
        @DefaultValue("180d") Duration keepDead) {

    private static final DataSize LARGEST = DataSize.ofMegabytes(4);
    private static final Duration LONGEST = Duration.ofDays(30);

    public QueueProperties {
        if (maxPayload.toBytes() < 1 || maxPayload.compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException(
                    "orth.queue.max-payload must be between 1B and %s, got %s".formatted(LARGEST, maxPayload));
        }
        SettingRules.between("orth.queue.max-attempts", maxAttempts, 1, MessageSpec.MOST_ATTEMPTS);
        SettingRules.between("orth.queue.max-queues", maxQueues, 1, 100_000);
        SettingRules.notNegative("orth.queue.retry-first", retryFirst);
        SettingRules.positive("orth.queue.keep-reports", keepReports);
        SettingRules.positive("orth.queue.keep-dead", keepDead);
        if (!(retryFactor >= 1 && retryFactor <= 100)) {
            throw new IllegalArgumentException("orth.queue.retry-factor must be between 1 and 100, got " + retryFactor);
        }
        if (retryMost.compareTo(retryFirst) < 0 || retryMost.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "orth.queue.retry-most must be between orth.queue.retry-first and 30 days, got " + retryMost);
        }
    }

    RetryPolicy retry() {
        return new RetryPolicy(retryFirst, retryFactor, retryMost);
    }
}
