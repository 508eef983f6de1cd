package io.orth.admin.triggering;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for dispatching runs to executors.
 *
 * @param claim how long a node may take to dispatch a run before any node takes over
 * @param rescueEvery interval between searches for runs whose claim has expired
 * @param batchSize maximum number of runs in one request to an executor
 * @param queueCapacity maximum number of runs waiting for their executors on a node; the rescuer takes up the rest
 * @param sendersAtOnce maximum number of executors a node talks to concurrently
 * @param connectTimeout timeout for a connection to an executor
 * @param sendTimeout timeout for an executor's response
 * @param waitForExecutor how long a run waits while its group has no executor online, before it fails. Time does not count while no admin
 *     looked for an executor, executors held off because no admin acknowledged their heartbeats, or admins could not reach executors
 *     whose heartbeats arrived. The last two apply only while the run is younger than an hour
 * @param mostTries maximum number of executors tried for a run before it fails or, if none of them could be reached, waits
 * @param giveUpAfter how long an online executor is queried about a run it may have, before the run counts as lost
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
