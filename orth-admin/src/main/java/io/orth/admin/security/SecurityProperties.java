package io.orth.admin.security;

import io.orth.admin.kernel.SettingRules;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings for sessions, logins and request limits.
 *
 * @param sessionIdle a session expires after this long without a request
 * @param sessionLifetime a session expires this long after login, even if it is used
 * @param secureCookies marks cookies {@code Secure} even if the request arrives as plain HTTP, because TLS ends at a proxy
 * @param origins additional origins of the console, for proxies that do not forward the {@code Host} header
 * @param passwordStrength bcrypt cost; each step doubles the time of a login
 * @param loginTries failed logins per account before attempts are delayed
 * @param loginTriesPerAddress the same per client address
 * @param loginLongestWait upper bound of the delay between login attempts; it doubles from one second
 * @param maxBody maximum request body
 * @param maxExecutorBody maximum request body from an executor
 * @param maxAnonymousBodySize maximum request body from a caller without credentials, such as a login
 * @param bodyTimeout how long the body of a caller with credentials may take to arrive
 * @param anonymousBodyTimeout how long the body of a caller without credentials may take to arrive; also the longest silence within any
 *     body
 */
@ConfigurationProperties("orth.security")
public record SecurityProperties(
        @DefaultValue("30m") Duration sessionIdle,
        @DefaultValue("12h") Duration sessionLifetime,
        @DefaultValue("false") boolean secureCookies,
        @DefaultValue List<String> origins,
        @DefaultValue("12") int passwordStrength,
        @DefaultValue("5") int loginTries,
        @DefaultValue("20") int loginTriesPerAddress,
        @DefaultValue("5m") Duration loginLongestWait,
        @DefaultValue("3MB") DataSize maxBody,
        @DefaultValue("16MB") DataSize maxExecutorBody,
        @DefaultValue("16KB") DataSize maxAnonymousBodySize,
        @DefaultValue("30s") Duration bodyTimeout,
        @DefaultValue("5s") Duration anonymousBodyTimeout) {

    private static final String PREFIX = "orth.security.";

    public SecurityProperties {
        check(sessionIdle.compareTo(Duration.ofMinutes(2)) >= 0, "session-idle", "must be at least 2m", sessionIdle);
        check(
                sessionLifetime.compareTo(sessionIdle) >= 0,
                "session-lifetime",
                "must be at least " + PREFIX + "session-idle",
                sessionLifetime);
        origins = List.copyOf(origins);
        origins.forEach(origin ->
                check(isOrigin(origin), "origins", "must look like https://host or https://host:port", origin));
        SettingRules.between(PREFIX + "password-strength", passwordStrength, 10, 16);
        check(loginTries >= 1, "login-tries", "must be at least 1", loginTries);
        check(loginTriesPerAddress >= 1, "login-tries-per-address", "must be at least 1", loginTriesPerAddress);
        check(
                loginLongestWait.compareTo(Duration.ofSeconds(1)) >= 0,
                "login-longest-wait",
                "must be at least 1s",
                loginLongestWait);
        checkSize("max-body", maxBody);
        checkSize("max-executor-body", maxExecutorBody);
        checkSize("max-anonymous-body-size", maxAnonymousBodySize);
        checkTimeout("body-timeout", bodyTimeout);
        checkTimeout("anonymous-body-timeout", anonymousBodyTimeout);
    }

    private static void checkSize(String key, DataSize size) {
        boolean right = size.compareTo(DataSize.ofKilobytes(1)) >= 0 && size.compareTo(DataSize.ofMegabytes(64)) <= 0;
        check(right, key, "must be between 1KB and 64MB", size);
    }

    private static void checkTimeout(String key, Duration timeout) {
        boolean right =
                timeout.compareTo(Duration.ofMillis(100)) >= 0 && timeout.compareTo(Duration.ofMinutes(10)) <= 0;
        check(right, key, "must be between 100ms and 10m", timeout);
    }

    private static boolean isOrigin(String origin) {
        try {
            URI uri = URI.create(origin);
            return ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && origin.equals(uri.getScheme() + "://" + uri.getAuthority())
                    && uri.getUserInfo() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void check(boolean right, String key, String rule, Object got) {
        if (!right) {
            throw new IllegalArgumentException(PREFIX + key + " " + rule + ", got " + got);
        }
    }
}
