package io.orth.admin.transition;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.SettingRules;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where transitions are told to, and what is kept for those that cannot be told now.
 *
 * @param lookEvery how often the node that relays looks for new ones
 * @param tidyEvery how often what is over is removed
 * @param pruneBatch the most that is removed at once
 * @param replay how long those that every sink has taken can still be read by streams
 * @param holdAge how long transitions are kept for a sink that fails or hangs; then they are dropped for it and counted
 * @param holdChanges how many transitions are kept for a sink that fails or hangs
 * @param backoff how long a sink that fails waits before the next attempt, of which there is no last one
 * @param stdout whether they are written to standard output, one JSON object a line
 * @param file the file they are written to
 * @param webhook addresses they are posted to, by a name of yours
 */
@ConfigurationProperties("orth.transitions")
public record RelayProperties(
        @DefaultValue("200ms") Duration lookEvery,
        @DefaultValue("10s") Duration tidyEvery,
        @DefaultValue("10000") int pruneBatch,
        @DefaultValue("1h") Duration replay,
        @DefaultValue("1d") Duration holdAge,
        @DefaultValue("10000000") long holdChanges,
        @DefaultValue Delays backoff,
        @DefaultValue("false") boolean stdout,
        @DefaultValue File file,
        @DefaultValue Map<String, Webhook> webhook) {

    /** With the body, a request takes twice as long at the most, which is less than a sink may take nothing. */
    private static final Duration LONGEST_WEBHOOK_TIMEOUT = Duration.ofSeconds(20);

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,40}");

    /**
     * How the delay between attempts at a failing sink grows.
     *
     * @param initialDelay the delay after the first failure
     * @param multiplier by how much it grows with each further one
     * @param maxDelay how long it becomes
     * @param jitter the share of a delay, 0 to 1, by which it is shortened or lengthened at random
     */
    public record Delays(
            @DefaultValue("500ms") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("30s") Duration maxDelay,
            @DefaultValue("0") double jitter) {

        Backoff toBackoff() {
            return new Backoff(initialDelay, multiplier, maxDelay, jitter);
        }
    }

    /**
     * A file of one JSON object a line.
     *
     * @param enabled whether it is written
     * @param path where; a relative path is taken from the data directory
     * @param maxSize the size at which the next one is begun
     * @param files how many are kept
     */
    public record File(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("transitions/transitions.jsonl") Path path,
            @DefaultValue("64MB") DataSize maxSize,
            @DefaultValue("8") int files) {

        public File {
            SettingRules.between("orth.transitions.file.files", files, 2, 1_000);
            if (maxSize.toKilobytes() < 64) {
                throw new IllegalArgumentException("orth.transitions.file.max-size must be at least 64KB");
            }
        }
    }

    /**
     * An address transitions are posted to.
     *
     * @param url where
     * @param secret signs what is posted
     * @param timeout how long the receiver may take, 20 seconds at most
     */
    public record Webhook(
            URI url, String secret, @DefaultValue("10s") Duration timeout) {

        /** Says nothing of the secret. */
        @Override
        public String toString() {
            return String.valueOf(url);
        }
    }

    public RelayProperties {
        SettingRules.positive("orth.transitions.look-every", lookEvery);
        SettingRules.positive("orth.transitions.tidy-every", tidyEvery);
        SettingRules.between("orth.transitions.prune-batch", pruneBatch, 1, 100_000);
        SettingRules.positive("orth.transitions.replay", replay);
        SettingRules.positive("orth.transitions.hold-age", holdAge);
        SettingRules.positive("orth.transitions.backoff.initial-delay", backoff.initialDelay());
        SettingRules.made("orth.transitions", backoff::toBackoff);
        if (holdChanges < 1) {
            throw new IllegalArgumentException("orth.transitions.hold-changes must be at least 1");
        }
        webhook = Map.copyOf(webhook);
        webhook.forEach(RelayProperties::check);
    }

    private static void check(String name, Webhook webhook) {
        String key = "orth.transitions.webhook." + name;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(key + " may have small letters, digits and dashes in its name only");
        }
        if (webhook.url() == null
                || webhook.url().getHost() == null
                || !("http".equals(webhook.url().getScheme())
                        || "https".equals(webhook.url().getScheme()))) {
            throw new IllegalArgumentException(key + ".url must be an address that begins with http:// or https://");
        }
        if (webhook.secret() == null || webhook.secret().length() < 16) {
            throw new IllegalArgumentException(key + ".secret must have at least 16 characters");
        }
        SettingRules.positive(key + ".timeout", webhook.timeout());
        if (webhook.timeout().compareTo(LONGEST_WEBHOOK_TIMEOUT) > 0) {
            throw new IllegalArgumentException("%s.timeout must be at most %ds, got %s"
                    .formatted(key, LONGEST_WEBHOOK_TIMEOUT.toSeconds(), webhook.timeout()));
        }
    }
}
