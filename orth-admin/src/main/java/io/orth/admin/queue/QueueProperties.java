package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of queues.
 *
 * @param maxPayload maximum size of a message's payload
 * @param maxAttempts default of the maximum number of attempts for a new queue
 * @param backoff default backoff of a new queue
 * @param maxQueues maximum number of queues
 * @param keepReports retention of the per-minute statistics
 * @param keepDead retention of dead letters
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
     * Delay before a further attempt at a message.
     *
     * @param initialDelay delay after the first failed attempt
     * @param multiplier growth factor of the delay with each further failed attempt
     * @param maxDelay upper bound of the delay
     * @param jitter share of the delay, 0 to 1, by which it is randomly shortened or lengthened
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
