package io.orth.admin.alarm;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * How alarms are made and sent.
 *
 * @param checkEvery how often failed runs and alarms that are due are looked for
 * @param sendTimeout how long a webhook or mail server may take
 * @param tries how often an alarm is sent before it has failed for good
 * @param retryAfter the wait after the first failed try; it doubles with each further one, up to ten minutes
 * @param keep how long alarms that are over are kept
 * @param allowedNetworks networks (as CIDR) inside your own that webhooks may lead to; public addresses always may
 * @param consoleUrl where people reach the console, for links in alarms; without it there are none
 * @param mail the server that takes mail
 */
@ConfigurationProperties("orth.alarm")
public record AlarmProperties(
        @DefaultValue("2s") Duration checkEvery,
        @DefaultValue("10s") Duration sendTimeout,
        @DefaultValue("5") int tries,
        @DefaultValue("10s") Duration retryAfter,
        @DefaultValue("30d") Duration keep,
        @DefaultValue List<String> allowedNetworks,
        @DefaultValue("") String consoleUrl,
        @DefaultValue Mail mail) {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final int MOST_DOUBLINGS = 20;

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
        SettingRules.positive("orth.alarm.retry-after", retryAfter);
        SettingRules.positive("orth.alarm.keep", keep);
        SettingRules.between("orth.alarm.tries", tries, 1, 100);
        allowedNetworks = List.copyOf(allowedNetworks);
        for (String network : allowedNetworks) {
            try {
                new IpAddressMatcher(network);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "orth.alarm.allowed-networks: '%s' is not a network like 10.0.0.0/8 (%s)"
                                .formatted(network, e.getMessage()));
            }
        }
    }

    Duration waitAfter(int failedTries) {
        Duration wait = retryAfter.multipliedBy(1L << Math.min(failedTries - 1, MOST_DOUBLINGS));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** Long enough that whoever has it has ended by then, one way or the other. */
    Duration lease() {
        return sendTimeout.multipliedBy(4).plusSeconds(10);
    }
}
