package io.orth.admin.alarm;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of alarms.
 *
 * @param checkEvery interval of checks for failed runs and due alarms
 * @param sendTimeout maximum response time of a webhook or mail server
 * @param maxAttempts maximum number of attempts to send an alarm, including the first
 * @param backoff delay between attempts to send an alarm
 * @param keep retention of finished alarms
 * @param allowedNetworks private networks, in CIDR notation, that webhooks may reach; public addresses are always allowed
 * @param consoleUrl address of the console for links in alarms; alarms have no links if it is empty
 * @param mail the mail server
 */
@ConfigurationProperties("orth.alarm")
public record AlarmProperties(
        @DefaultValue("2s") Duration checkEvery,
        @DefaultValue("10s") Duration sendTimeout,
        @DefaultValue("5") int maxAttempts,
        @DefaultValue Delays backoff,
        @DefaultValue("30d") Duration keep,
        @DefaultValue List<String> allowedNetworks,
        @DefaultValue("") String consoleUrl,
        @DefaultValue Mail mail) {

    /**
     * Delay between attempts to send an alarm.
     *
     * @param initialDelay delay after the first failed attempt
     * @param multiplier growth factor of the delay with each further failed attempt
     * @param maxDelay upper bound of the delay
     * @param jitter share of the delay, 0 to 1, by which it is randomly shortened or lengthened
     */
    public record Delays(
            @DefaultValue("10s") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("10m") Duration maxDelay,
            @DefaultValue("0") double jitter) {

        Backoff toBackoff() {
            return new Backoff(initialDelay, multiplier, maxDelay, jitter);
        }
    }

    /** Encryption of the connection to a mail server. */
    public enum Encryption {
        STARTTLS,
        TLS,
        NONE
    }

    /**
     * The mail server.
     *
     * @param host host name; no mail is sent if it is empty
     * @param port port
     * @param user user name; there is no login if it is empty
     * @param password password of the user
     * @param from sender address
     * @param encryption encryption of the connection
     */
    public record Mail(
            @DefaultValue("") String host,
            @DefaultValue("587") int port,
            @DefaultValue("") String user,
            @DefaultValue("") String password,
            @DefaultValue("") String from,
            @DefaultValue("starttls") Encryption encryption) {

        public Mail {
            SettingRules.between("orth.alarm.mail.port", port, 1, 65_535);
        }
    }

    public AlarmProperties {
        SettingRules.positive("orth.alarm.check-every", checkEvery);
        SettingRules.positive("orth.alarm.send-timeout", sendTimeout);
        SettingRules.positive("orth.alarm.backoff.initial-delay", backoff.initialDelay());
        SettingRules.made("orth.alarm", backoff::toBackoff);
        SettingRules.positive("orth.alarm.keep", keep);
        SettingRules.between("orth.alarm.max-attempts", maxAttempts, 1, RetryPolicy.MAX_ATTEMPTS);
        allowedNetworks = SettingRules.networks("orth.alarm.allowed-networks", allowedNetworks);
    }

    RetryPolicy retry() {
        return new RetryPolicy(maxAttempts, backoff.toBackoff());
    }

    /** Returns the lease of an alarm that is being sent. It exceeds the longest attempt to send. */
    Duration lease() {
        return sendTimeout.multipliedBy(4).plusSeconds(10);
    }
}
