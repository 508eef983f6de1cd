package io.orth.executor;

import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.Placeholders;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The settings of an executor. Created by {@link #builder()}, whose methods document each option.
 *
 * @param host null for all interfaces
 * @param advertisedAddress null to derive it
 */
public record ExecutorOptions(
        String group,
        List<URI> admins,
        String accessToken,
        String host,
        int port,
        URI advertisedAddress,
        Path logPath,
        int logRetentionDays,
        long maxLogBytes,
        int queueCapacity,
        Duration pollInterval,
        int idlePolls,
        Duration interruptGrace,
        int requestThreads,
        Duration beatInterval,
        Duration adminTimeout,
        Duration callbackRetryInterval,
        Duration shutdownGrace,
        ScriptOptions scripts) {

    private static final int MAX_GROUP_LENGTH = 64;
    private static final int MAX_TOKEN_LENGTH = 1_000;
    private static final long SMALLEST_LOG = 1_024;

    public ExecutorOptions {
        group = text("group", group, MAX_GROUP_LENGTH);
        accessToken = text("accessToken", accessToken, MAX_TOKEN_LENGTH);
        Placeholders.refuse("accessToken", accessToken);
        check(admins != null && !admins.isEmpty(), "admins must name at least one admin address");
        admins = admins.stream().map(admin -> address("admins", admin)).toList();
        check(host == null || !host.isBlank(), "host must not be blank");
        check(port >= 0 && port <= 65_535, "port must be between 0 and 65535, got " + port);
        advertisedAddress = advertisedAddress == null ? null : address("advertisedAddress", advertisedAddress);
        Objects.requireNonNull(logPath, "logPath");
        atLeast("logRetentionDays", logRetentionDays, 1);
        atLeast("maxLogBytes", maxLogBytes, SMALLEST_LOG);
        atLeast("queueCapacity", queueCapacity, 1);
        positive("pollInterval", pollInterval);
        atLeast("idlePolls", idlePolls, 0);
        check(
                interruptGrace != null && !interruptGrace.isNegative(),
                "interruptGrace must not be negative, got " + interruptGrace);
        atLeast("requestThreads", requestThreads, 1);
        positive("beatInterval", beatInterval);
        positive("adminTimeout", adminTimeout);
        positive("callbackRetryInterval", callbackRetryInterval);
        check(!shutdownGrace.isNegative(), "shutdownGrace must not be negative, got " + shutdownGrace);
        Objects.requireNonNull(scripts, "scripts");
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "ExecutorOptions[group=%s, admins=%s, host=%s, port=%d, logPath=%s]"
                .formatted(group, admins, host, port, logPath);
    }

    private static String text(String option, String value, int maxLength) {
        check(value != null && !value.isBlank(), option + " must not be blank");
        check(value.length() <= maxLength, "%s must have at most %d characters".formatted(option, maxLength));
        check(
                value.chars().allMatch(c -> c > ' ' && c < 0x7f),
                option + " must consist of visible ASCII characters without spaces");
        return value;
    }

    /** Returns the address with a trailing slash in its path. */
    private static URI address(String option, URI address) {
        boolean plain = address.getScheme() != null
                && Set.of("http", "https").contains(address.getScheme())
                && address.getHost() != null
                && address.getRawUserInfo() == null
                && address.getRawQuery() == null
                && address.getRawFragment() == null;
        check(plain, "%s must be like http://host:port/, got '%s'".formatted(option, address));
        return address.getRawPath().endsWith("/") ? address : URI.create(address + "/");
    }

    private static void positive(String option, Duration value) {
        check(
                value != null && !value.isNegative() && !value.isZero(),
                "%s must be longer than nothing, got %s".formatted(option, value));
    }

    private static void atLeast(String option, long value, long smallest) {
        check(value >= smallest, "%s must be at least %d, got %d".formatted(option, smallest, value));
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Collects options. {@link #build()} rejects invalid ones with a message that starts with the option's name. */
    public static final class Builder {

        private String group;
        private final List<URI> admins = new ArrayList<>();
        private String accessToken;
        private String host;
        private int port;
        private URI advertisedAddress;
        private Path logPath = Path.of("orth-executor");
        private int logRetentionDays = 30;
        private long maxLogBytes = 256L * 1024 * 1024;
        private int queueCapacity = 1_000;
        private Duration pollInterval = Duration.ofSeconds(3);
        private int idlePolls = 30;
        private Duration interruptGrace = Duration.ofSeconds(10);
        private int requestThreads = 200;
        private Duration beatInterval = HeartbeatRule.DEFAULT_INTERVAL;
        private Duration adminTimeout = Duration.ofSeconds(5);
        private Duration callbackRetryInterval = Duration.ofSeconds(30);
        private Duration shutdownGrace = Duration.ofSeconds(30);
        private boolean scriptsEnabled;
        private boolean glueEnabled;
        private final Map<ScriptLanguage, String> interpreters = new EnumMap<>(ScriptLanguage.class);

        private Builder() {}

        /** Sets the executor group, as it is named in the admin. Required. */
        public Builder group(String value) {
            group = value;
            return this;
        }

        /**
         * Adds the base address of an admin, such as {@code http://orth:8080}. Admins are tried in the given order. At least one
         * is required.
         */
        public Builder admin(String value) {
            try {
                admins.add(URI.create(value.strip()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "admins must be like http://host:port/, got '%s'".formatted(value), e);
            }
            return this;
        }

        /**
         * Sets the token of the group. The executor sends it to the admin and requires it on each request. Required; there is no
         * mode without a token.
         */
        public Builder accessToken(String value) {
            accessToken = value;
            return this;
        }

        /** Sets the local address to listen on. Default: all interfaces. */
        public Builder host(String value) {
            host = value;
            return this;
        }

        /** Sets the port to listen on. Default: 0, which means any free port. */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * Sets the address at which admins reach this executor, if it differs from the listening address. Default: the listening
         * port at the local address from which this machine reaches the admin.
         */
        public Builder advertisedAddress(String value) {
            try {
                advertisedAddress = URI.create(value.strip());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "advertisedAddress must be like http://host:port/, got '%s'".formatted(value), e);
            }
            return this;
        }

        /** Sets the directory for log files and unsent results. Each executor needs its own. Default: {@code orth-executor}. */
        public Builder logPath(Path value) {
            logPath = value;
            return this;
        }

        /** Sets the retention of log files in days. Default: 30. */
        public Builder logRetentionDays(int value) {
            logRetentionDays = value;
            return this;
        }

        /**
         * Sets the maximum size of a run's log. Beyond it, the first half and the newest output are kept, and the log states what
         * was dropped. Default: 256 MB.
         */
        public Builder maxLogBytes(long value) {
            maxLogBytes = value;
            return this;
        }

        /** Sets the maximum number of triggers that wait for one job; further ones are rejected. Default: 1,000. */
        public Builder queueCapacity(int value) {
            queueCapacity = value;
            return this;
        }

        /** Sets how long a job thread waits for a trigger before it counts an idle poll. Default: 3 s. */
        public Builder pollInterval(Duration value) {
            pollInterval = value;
            return this;
        }

        /** Sets the maximum number of consecutive idle polls, after which a job thread ends. Default: 30. */
        public Builder idlePolls(int value) {
            idlePolls = value;
            return this;
        }

        /**
         * Sets how long a handler may continue after an interrupt by its timeout or a kill. After that, its thread is abandoned
         * and the job continues in another thread. Default: 10 s.
         */
        public Builder interruptGrace(Duration value) {
            interruptGrace = value;
            return this;
        }

        /** Sets the maximum number of concurrent requests from admins. Default: 200. */
        public Builder requestThreads(int value) {
            requestThreads = value;
            return this;
        }

        /** Sets the heartbeat interval. Default: 5 s. */
        public Builder beatInterval(Duration value) {
            beatInterval = value;
            return this;
        }

        /** Sets the timeout of a request to an admin. Default: 5 s. */
        public Builder adminTimeout(Duration value) {
            adminTimeout = value;
            return this;
        }

        /** Sets the maximum delay between attempts to deliver unsent results. Default: 30 s. */
        public Builder callbackRetryInterval(Duration value) {
            callbackRetryInterval = value;
            return this;
        }

        /** Sets how long {@link OrthExecutor#close()} lets accepted work finish. Default: 30 s. */
        public Builder shutdownGrace(Duration value) {
            shutdownGrace = value;
            return this;
        }

        /** Sets whether triggers may carry scripts, which run as processes with this executor's privileges. Default: false. */
        public Builder scriptsEnabled(boolean value) {
            scriptsEnabled = value;
            return this;
        }

        /** Sets the interpreter for a script language. Default: {@link ScriptLanguage#defaultInterpreter}. */
        public Builder interpreter(ScriptLanguage language, String value) {
            interpreters.put(language, value);
            return this;
        }

        /** Sets whether triggers may carry Groovy source, which runs inside this JVM. Default: false. */
        public Builder glueEnabled(boolean value) {
            glueEnabled = value;
            return this;
        }

        public ExecutorOptions build() {
            return new ExecutorOptions(
                    group,
                    admins,
                    accessToken,
                    host,
                    port,
                    advertisedAddress,
                    logPath,
                    logRetentionDays,
                    maxLogBytes,
                    queueCapacity,
                    pollInterval,
                    idlePolls,
                    interruptGrace,
                    requestThreads,
                    beatInterval,
                    adminTimeout,
                    callbackRetryInterval,
                    shutdownGrace,
                    new ScriptOptions(scriptsEnabled, glueEnabled, interpreters));
        }
    }
}
