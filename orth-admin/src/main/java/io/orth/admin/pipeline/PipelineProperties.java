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
 * What holds for pipelines.
 *
 * @param lookEvery how often the reconciler looks at a run of which it has heard nothing
 * @param auditEvery how often it counts a run's tasks anew and looks for what is missing
 * @param stuckAfter how long a task may be without the message it waits for or came by before that is put right
 * @param keepRuns how long runs are kept that are over, with their tasks and logs
 * @param outbox how what the outbox promises is kept
 * @param webhooks addresses that stages can send tasks to, by a name of yours
 */
@ConfigurationProperties("orth.pipeline")
public record PipelineProperties(
        @DefaultValue("1s") Duration lookEvery,
        @DefaultValue("1m") Duration auditEvery,
        @DefaultValue("1m") Duration stuckAfter,
        @DefaultValue("90d") Duration keepRuns,
        @DefaultValue Outbox outbox,
        @DefaultValue Map<String, Webhook> webhooks) {

    /** How many entries of those outside one node takes at once. */
    static final int WEBHOOK_BATCH = 10;

    /**
     * How what the outbox promises is kept.
     *
     * @param pollEvery how often it is looked for what no signal told of
     * @param batchSize the most that is sent at once
     * @param maxAttempts how often one that fails is tried before it is parked and its task fails
     * @param backoff how long one waits that could not be sent
     * @param lease how long a node has what it sends to webhooks for itself
     * @param keepSent how long entries are kept that were sent
     */
    public record Outbox(
            @DefaultValue("500ms") Duration pollEvery,
            @DefaultValue("1000") int batchSize,
            @DefaultValue("10") int maxAttempts,
            @DefaultValue Delays backoff,
            @DefaultValue("5m") Duration lease,
            @DefaultValue("1h") Duration keepSent) {

        /**
         * How the delay before a task is sent again grows.
         *
         * @param initialDelay the delay after the first failure
         * @param multiplier by how much it grows with each further one
         * @param maxDelay how long it becomes
         * @param jitter the share of a delay, 0 to 1, by which it is shortened or lengthened at random
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
     * @param url where
     * @param secret signs what is posted
     * @param timeout how long the receiver may take
     */
    public record Webhook(
            URI url, String secret, @DefaultValue("10s") Duration timeout) {

        /** Says nothing of the secret. */
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
