package io.orth.admin.alarm;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How alarms are made and sent.
 *
 * @param checkEvery how often failed runs and alarms that are due are looked for
 * @param sendTimeout how long a webhook or mail server may take
 * @param maxAttempts how often it is tried to send an alarm, the first time included
 * @param backoff how long an alarm waits that could not be sent
 * @param keep how long alarms that are over are kept
 * @param allowedNetworks networks (as CIDR) inside your own that webhooks may lead to; public addresses always may
 * @param consoleUrl where people reach the console, for links in alarms; without it there are none
 * @param mail the server that takes mail
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
     * How the delay before an alarm is sent again grows.
     *
     * @param initialDelay the delay after the first failure
     * @param multiplier by how much it grows with each further one
     * @param maxDelay how long it becomes
     * @param jitter the share of a delay, 0 to 1, by which it is shortened or lengthened at random
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

    /** How a mail server's connection is encrypted. */
    public enum Encryption {
        STARTTLS,
        TLS,
        NONE
    }

    /**
     * The server that takes mail.
     *
     * @param host its name; without it no mail is sent
     * @param port its port
     * @param user user to log in as; without it there is no login
     * @param password that user's password
     * @param from the address that mail comes from
     * @param encryption how the connection is encrypted
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

    /** Long enough that whoever has it has ended by then, one way or the other. */
    Duration lease() {
        return sendTimeout.multipliedBy(4).plusSeconds(10);
    }
}
