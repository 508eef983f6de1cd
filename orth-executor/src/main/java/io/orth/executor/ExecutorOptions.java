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
 * How an executor is set up; made by {@link #builder()}, whose methods document each option.
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

    /** Without the token. */
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

    /** Returns the address with a path that ends in a slash. */
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

    /** Collects options; {@link #build()} refuses bad ones with a message that starts with the option's name. */
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

        /** The executor group this executor belongs to, as the admin knows it. Required. */
        public Builder group(String value) {
            group = value;
            return this;
        }

        /** Adds an admin's base address, such as {@code http://orth:8080}. Admins are tried in the order given. Required. */
        public Builder admin(String value) {
            try {
                admins.add(URI.create(value.strip()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "admins must be like http://host:port/, got '%s'".formatted(value), e);
            }
            return this;
        }

        /** The group's token: sent to the admin and expected from it. Required; there is no open mode. */
        public Builder accessToken(String value) {
            accessToken = value;
            return this;
        }

        /** The local address to listen on. Default: all interfaces. */
        public Builder host(String value) {
            host = value;
            return this;
        }

        /** The port to listen on. Default 0: any free port. */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * Where the admin reaches this executor, for when it is not the address it listens on. Default: the listening port at
         * the local address from which the admin is reached.
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

        /** The directory for log files and unsent results; one executor per directory. Default {@code orth-executor}. */
        public Builder logPath(Path value) {
            logPath = value;
            return this;
        }

        /** For how many days log files are kept. Default 30. */
        public Builder logRetentionDays(int value) {
            logRetentionDays = value;
            return this;
        }

        /** How large one run's log may grow; what comes after is left out, and the log says so. Default 256 MB. */
        public Builder maxLogBytes(long value) {
            maxLogBytes = value;
            return this;
        }

        /** How many triggers may wait for one job; more are refused. Default 1,000. */
        public Builder queueCapacity(int value) {
            queueCapacity = value;
            return this;
        }

        /** How long a job's thread waits for a trigger before it counts an idle poll. Default 3 s. */
        public Builder pollInterval(Duration value) {
            pollInterval = value;
            return this;
        }

        /** A job's thread ends after more idle polls in a row than this. Default 30. */
        public Builder idlePolls(int value) {
            idlePolls = value;
            return this;
        }

        /**
         * How long a handler that was interrupted, by its timeout or a kill, may go on before its thread is given up and the
         * job goes on in another. Default 10 s.
         */
        public Builder interruptGrace(Duration value) {
            interruptGrace = value;
            return this;
        }

        /** How many requests are served at once. Default 200. */
        public Builder requestThreads(int value) {
            requestThreads = value;
            return this;
        }

        /** How often the executor tells the admin that it is alive. Default 5 s. */
        public Builder beatInterval(Duration value) {
            beatInterval = value;
            return this;
        }

        /** How long one request to an admin may take. Default 5 s. */
        public Builder adminTimeout(Duration value) {
            adminTimeout = value;
            return this;
        }

        /** How long undelivered results wait for the next try. Default 30 s. */
        public Builder callbackRetryInterval(Duration value) {
            callbackRetryInterval = value;
            return this;
        }

        /** How long {@link OrthExecutor#close()} lets accepted work finish. Default 30 s. */
        public Builder shutdownGrace(Duration value) {
            shutdownGrace = value;
            return this;
        }

        /**
         * Whether triggers may bring scripts along, which then run as processes with this executor's rights. Default: no.
         */
        public Builder scriptsEnabled(boolean value) {
            scriptsEnabled = value;
            return this;
        }

        /** The program that runs scripts of a language. Default: {@link ScriptLanguage#defaultInterpreter}. */
        public Builder interpreter(ScriptLanguage language, String value) {
            interpreters.put(language, value);
            return this;
        }

        /** Whether triggers may bring Groovy along, which then runs inside this JVM. Default: no. */
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
