package io.orth.admin.pipeline;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SettingRules;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of pipelines.
 *
 * @param lookEvery how often the reconciler checks a run for which no change was signalled
 * @param auditEvery how often the reconciler recounts a run's tasks and searches for missing tasks and messages
 * @param stuckAfter how long a pending task may have no message before it is repaired
 * @param keepRuns retention of finished runs with their tasks and logs
 * @param outbox settings of the outbox
 * @param webhooks addresses that stages can send tasks to, by name
 */
@ConfigurationProperties("orth.pipeline")
public record PipelineProperties(
        @DefaultValue("1s") Duration lookEvery,
        @DefaultValue("1m") Duration auditEvery,
        @DefaultValue("1m") Duration stuckAfter,
        @DefaultValue("90d") Duration keepRuns,
        @DefaultValue Outbox outbox,
        @DefaultValue Map<String, Webhook> webhooks) {

    /** Maximum number of webhook entries that a node leases together. */
    static final int WEBHOOK_BATCH = 10;

    /**
     * Settings of the outbox.
     *
     * @param pollEvery how often the dispatcher polls for entries without a signal
     * @param batchSize the maximum number of entries sent in one transaction
     * @param maxAttempts the number of delivery attempts before an entry is parked and its task fails
     * @param backoff delay before a failed delivery is retried
     * @param lease how long a node exclusively holds the entries that it sends to webhooks
     * @param keepSent retention of sent entries
     */
    public record Outbox(
            @DefaultValue("500ms") Duration pollEvery,
            @DefaultValue("1000") int batchSize,
            @DefaultValue("10") int maxAttempts,
            @DefaultValue Delays backoff,
            @DefaultValue("5m") Duration lease,
            @DefaultValue("1h") Duration keepSent) {

        /**
         * Growth of the delay before a task is sent again.
         *
         * @param initialDelay the delay after the first failure
         * @param multiplier the factor by which each further delay grows
         * @param maxDelay the upper bound of the delay
         * @param jitter the share of a delay, 0 to 1, by which it is randomly shortened or lengthened
         */
        public record Delays(
                @DefaultValue("1s") Duration initialDelay,
                @DefaultValue("2") double multiplier,
                @DefaultValue("5m") Duration maxDelay,
                @DefaultValue("0") double jitter) {

            Backoff toBackoff() {
                return new Backoff(initialDelay, multiplier, maxDelay, jitter);
            }
        }

        public Outbox {
            SettingRules.positive("orth.pipeline.outbox.poll-every", pollEvery);
            SettingRules.between("orth.pipeline.outbox.batch-size", batchSize, 1, 10_000);
            SettingRules.between("orth.pipeline.outbox.max-attempts", maxAttempts, 1, 1_000);
            SettingRules.positive("orth.pipeline.outbox.backoff.initial-delay", backoff.initialDelay());
            SettingRules.made("orth.pipeline.outbox", backoff::toBackoff);
            SettingRules.positive("orth.pipeline.outbox.lease", lease);
            SettingRules.notNegative("orth.pipeline.outbox.keep-sent", keepSent);
        }

        RetryPolicy retry() {
            return new RetryPolicy(maxAttempts, backoff.toBackoff());
        }
    }

    /**
     * An address that tasks are sent to.
     *
     * @param url the address
     * @param secret the key that signs requests
     * @param timeout how long the receiver may take
     */
    public record Webhook(
            URI url, String secret, @DefaultValue("10s") Duration timeout) {

        /** Omits the secret. */
        @Override
        public String toString() {
            return String.valueOf(url);
        }
    }

    public PipelineProperties {
        webhooks = Map.copyOf(webhooks);
        SettingRules.positive("orth.pipeline.look-every", lookEvery);
        SettingRules.positive("orth.pipeline.audit-every", auditEvery);
        SettingRules.positive("orth.pipeline.stuck-after", stuckAfter);
        SettingRules.positive("orth.pipeline.keep-runs", keepRuns);
        webhooks.forEach((name, webhook) -> check("orth.pipeline.webhooks." + name, webhook, outbox.lease()));
    }

    private static void check(String key, Webhook webhook, Duration lease) {
        if (webhook.url() == null || webhook.url().getHost() == null) {
            throw new IllegalArgumentException(key + ".url must be an address such as https://example.com/tasks");
        }
        if (webhook.secret() == null || webhook.secret().isBlank()) {
            throw new IllegalArgumentException(key + ".secret is missing: it signs what is posted");
        }
        SettingRules.positive(key + ".timeout", webhook.timeout());
        if (webhook.timeout().multipliedBy(2L * WEBHOOK_BATCH).compareTo(lease) > 0) {
            throw new IllegalArgumentException("%s.timeout must be at most a %dth of orth.pipeline.outbox.lease, got %s"
                    .formatted(key, 2 * WEBHOOK_BATCH, webhook.timeout()));
        }
    }
}
