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
 * Sinks for transitions and the retention of transitions that cannot be delivered yet.
 *
 * @param lookEvery poll interval of the node that relays
 * @param tidyEvery interval between deletions of delivered transitions
 * @param pruneBatch maximum number of batches deleted in one transaction
 * @param replay how long transitions accepted by every sink can still be read by streams
 * @param holdAge how long transitions are kept for a failing or hanging sink; then they are dropped for it and counted
 * @param holdChanges how many transitions are kept for a failing or hanging sink
 * @param backoff delays between attempts at a failing sink; the number of attempts is unlimited
 * @param stdout whether transitions are written to standard output, one JSON object per line
 * @param file file sink
 * @param webhook webhook sinks by a name of your choice
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

    /** Including the body, a request takes at most twice as long. This is below the time after which a sink counts as stuck. */
    private static final Duration LONGEST_WEBHOOK_TIMEOUT = Duration.ofSeconds(20);

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,40}");

    /**
     * Growth of the delay between attempts at a failing sink.
     *
     * @param initialDelay delay after the first failure
     * @param multiplier growth factor after each further failure
     * @param maxDelay upper bound of the delay
     * @param jitter share of a delay, 0 to 1, by which it is shortened or lengthened at random
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
     * A file of one JSON object per line.
     *
     * @param enabled whether the file is written
     * @param path path of the file; a relative path is resolved against the data directory
     * @param maxSize size at which the file is rotated
     * @param files number of files kept
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
     * An address to which transitions are posted.
     *
     * @param url URL of the receiver
     * @param secret key that signs the request body
     * @param timeout response timeout, at most 20 seconds
     */
    public record Webhook(
            URI url, String secret, @DefaultValue("10s") Duration timeout) {

        /** Omits the secret. */
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
