package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
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
 * @param backoff how long a new queue's messages wait after a failed attempt
 * @param maxQueues how many queues there may be
 * @param keepReports how long it is kept what happened in which minute
 * @param keepDead how long messages are kept that were given up
 */
@ConfigurationProperties("orth.queue")
public record QueueProperties(
        @DefaultValue("256KB") DataSize maxPayload,
        @DefaultValue("3") int maxAttempts,
        @DefaultValue Delays backoff,
        @DefaultValue("10000") int maxQueues,
        @DefaultValue("7d") Duration keepReports,
        @DefaultValue("180d") Duration keepDead) {

    private static final DataSize LARGEST = DataSize.ofMegabytes(4);

    /**
     * How the delay before a further attempt at a message grows.
     *
     * @param initialDelay the delay after the first failed attempt
     * @param multiplier by how much it grows with each further one
     * @param maxDelay how long it becomes
     * @param jitter the share of a delay, 0 to 1, by which it is shortened or lengthened at random
     */
    public record Delays(
            @DefaultValue("1s") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("1h") Duration maxDelay,
            @DefaultValue("0") double jitter) {

        Backoff toBackoff() {
            return new Backoff(initialDelay, multiplier, maxDelay, jitter);
        }
    }

    public QueueProperties {
        if (maxPayload.toBytes() < 1 || maxPayload.compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException(
                    "orth.queue.max-payload must be between 1B and %s, got %s".formatted(LARGEST, maxPayload));
        }
        SettingRules.between("orth.queue.max-attempts", maxAttempts, 1, RetryPolicy.MAX_ATTEMPTS);
        SettingRules.made("orth.queue", backoff::toBackoff);
        SettingRules.between("orth.queue.max-queues", maxQueues, 1, 100_000);
        SettingRules.positive("orth.queue.keep-reports", keepReports);
        SettingRules.positive("orth.queue.keep-dead", keepDead);
    }
}
