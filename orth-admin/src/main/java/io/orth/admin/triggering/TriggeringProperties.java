package io.orth.admin.triggering;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How runs are sent to executors.
 *
 * @param claim how long a node may take to send a run before any node takes it up
 * @param rescueEvery how often runs are looked for whose claim has run out
 * @param batchSize the most runs in one request to an executor
 * @param queueCapacity the most runs a node keeps waiting for their executors; more are left for the rescue
 * @param sendersAtOnce the most executors a node talks to at the same time
 * @param connectTimeout how long a connection to an executor may take
 * @param sendTimeout how long an executor may take to answer
 * @param waitForExecutor how long a run waits while its group has no executor online, before it fails; not counted is the time
 *     in which no admin looked for one, executors held off because no admin acknowledged their heartbeats, or admins could not reach
 *     executors whose heartbeats arrived; the last two only while the run is younger than an hour
 * @param mostTries the most executors that are tried for a run before it fails or, if none of them could be reached, waits
 * @param giveUpAfter how long an executor that is online is asked about a run it may have, before the run counts as lost
 */
@ConfigurationProperties("orth.triggering")
public record TriggeringProperties(
        @DefaultValue("10s") Duration claim,
        @DefaultValue("1s") Duration rescueEvery,
        @DefaultValue("500") int batchSize,
        @DefaultValue("20000") int queueCapacity,
        @DefaultValue("64") int sendersAtOnce,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("5s") Duration sendTimeout,
        @DefaultValue("30s") Duration waitForExecutor,
        @DefaultValue("5") int mostTries,
        @DefaultValue("2m") Duration giveUpAfter) {

    public TriggeringProperties {
        SettingRules.positive("orth.triggering.claim", claim);
        SettingRules.positive("orth.triggering.rescue-every", rescueEvery);
        SettingRules.positive("orth.triggering.connect-timeout", connectTimeout);
        SettingRules.positive("orth.triggering.send-timeout", sendTimeout);
        SettingRules.positive("orth.triggering.give-up-after", giveUpAfter);
        SettingRules.between("orth.triggering.batch-size", batchSize, 1, 1_000);
        SettingRules.between("orth.triggering.queue-capacity", queueCapacity, 1, 1_000_000);
        SettingRules.between("orth.triggering.senders-at-once", sendersAtOnce, 1, 1_000);
        SettingRules.between("orth.triggering.most-tries", mostTries, 1, 1_000);
        SettingRules.notNegative("orth.triggering.wait-for-executor", waitForExecutor);
        if (claim.compareTo(sendTimeout) <= 0) {
            throw new IllegalArgumentException(
                    "orth.triggering.claim (%s) must be longer than orth.triggering.send-timeout (%s)"
                            .formatted(claim, sendTimeout));
        }
    }
}
