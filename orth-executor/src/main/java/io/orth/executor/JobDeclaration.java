package io.orth.executor;

import io.orth.protocol.BackoffMillis;
import io.orth.protocol.DeclaredJob;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A job that the code declares. The admin creates it when the executor registers and applies later versions of the declaration
 * until a user changes the job there. Pass it to {@link HandlerRegistry.Builder#declare}; {@link OrthJob} creates one for a
 * method.
 */
public final class JobDeclaration {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(366);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(30);
    private static final Duration LONGEST_BACKOFF = Duration.ofDays(30);
    private static final int LONGEST_PARAM = 65_536;
    private static final int MAX_ATTEMPTS = 100;
    private static final int MOST_AT_ONCE = 10_000;

    private final Builder said;

    private JobDeclaration(Builder said) {
        this.said = said;
    }

    /** Starts the declaration of a job. Its handler has the same name unless another is set. */
    public static Builder of(String job) {
        return new Builder(job, "the job '%s'".formatted(job));
    }

    /** @param owner origin of the declaration, for error messages */
    static Builder of(String job, String owner) {
        return new Builder(job, owner);
    }

    /** Returns the job's name, unique in the executor group. */
    public String job() {
        return said.job;
    }

    /** Returns the name of the handler that the job runs. */
    public String handler() {
        return said.handler;
    }

    /** @param zone time zone of a cron expression that specifies none */
    DeclaredJob toWire(ZoneId zone) {
        return new DeclaredJob(
                said.job,
                said.handler,
                said.param,
                schedule(zone),
                new DeclaredJob.Rules(
                        nameOf(said.misfire),
                        nameOf(said.block),
                        nameOf(said.blockScope),
                        said.concurrency,
                        (int) said.timeout.toSeconds(),
                        nameOf(said.route),
                        said.maxAttempts,
                        said.backoff == null ? null : new BackoffMillis(said.backoff.toMillis(), null, null, null)));
    }

    private static String nameOf(Enum<?> value) {
        return value == null ? null : value.name();
    }

    private DeclaredJob.Schedule schedule(ZoneId zone) {
        if (said.cron != null) {
            return new DeclaredJob.Schedule("CRON", said.cron, (said.zone == null ? zone : said.zone).getId(), null);
        }
        if (said.fixedRate != null) {
            return new DeclaredJob.Schedule("FIXED_RATE", null, null, said.fixedRate.toMillis());
        }
        return said.fixedDelay == null
                ? null
                : new DeclaredJob.Schedule("FIXED_DELAY", null, null, said.fixedDelay.toMillis());
    }

    /** Returns the origin of the declaration, such as the annotated method, for error messages. */
    @Override
    public String toString() {
        return said.owner;
    }

    /** Collects the settings of a job. Unset ones take the admin's defaults. */
    public static final class Builder {

        private final String job;
        private final String owner;
        private String handler;
        private String param = "";
        private String cron;
        private ZoneId zone;
        private Duration fixedRate;
        private Duration fixedDelay;
        private MisfirePolicy misfire;
        private BlockStrategy block;
        private BlockScope blockScope;
        private int concurrency = 1;
        private Duration timeout = Duration.ZERO;
        private RouteStrategy route;
        private int maxAttempts = 1;
        private Duration backoff;

        private Builder(String job, String owner) {
            this.job = job;
            this.owner = owner;
            this.handler = job;
        }

        public Builder handler(String name) {
            handler = name;
            return this;
        }

        /** Sets the parameter of each run. Default: none. */
        public Builder param(String value) {
            param = value;
            return this;
        }

        /** Sets the schedule to a Quartz cron expression of six or seven fields, seconds first. */
        public Builder cron(String expression) {
            cron = expression;
            return this;
        }

        /** Sets the time zone of the cron expression. Default: the time zone of this JVM. */
        public Builder zone(ZoneId value) {
            zone = value;
            return this;
        }

        Builder zone(String id) {
            try {
                return zone(ZoneId.of(id.strip()));
            } catch (DateTimeException e) {
                throw wrong("zone '%s' is no time zone such as Europe/Berlin".formatted(id));
            }
        }

        /** Sets the interval between two fires, independent of how long a run takes. */
        public Builder fixedRate(Duration interval) {
            fixedRate = interval;
            return this;
        }

        /** Sets the delay from the end of a run to the next fire. */
        public Builder fixedDelay(Duration interval) {
            fixedDelay = interval;
            return this;
        }

        public Builder misfire(MisfirePolicy policy) {
            misfire = policy;
            return this;
        }

        /** Sets how a new run is handled while the job is busy. */
        public Builder block(BlockStrategy strategy) {
            block = strategy;
            return this;
        }

        /** Sets where a run makes the job busy. Default: on its own executor only. */
        public Builder blockScope(BlockScope scope) {
            blockScope = scope;
            return this;
        }

        /** Sets the maximum number of concurrent runs on one executor with {@link BlockStrategy#CONCURRENT}. */
        public Builder concurrency(int runs) {
            concurrency = runs;
            return this;
        }

        /** Sets the timeout of a run, in whole seconds. Default: none. */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        public Builder route(RouteStrategy strategy) {
            route = strategy;
            return this;
        }

        /** Sets the maximum number of attempts of a run, the first included. Default: 1. */
        public Builder maxAttempts(int attempts) {
            maxAttempts = attempts;
            return this;
        }

        /** Sets the delay before the first retry; it doubles with each further retry. */
        public Builder backoff(Duration initialDelay) {
            backoff = initialDelay;
            return this;
        }

        /**
         * Builds the declaration.
         *
         * @throws IllegalArgumentException if a setting is invalid; the message names the origin of the declaration
         */
        public JobDeclaration build() {
            HandlerName.check(job, owner);
            HandlerName.check(handler, "the handler of " + owner);
            if (Stream.of(cron, fixedRate, fixedDelay).filter(Objects::nonNull).count() > 1) {
                throw wrong("only one of cron, fixedRate and fixedDelay can be set");
            }
            checkCron();
            checkBetween("fixedRate", fixedRate, SHORTEST_INTERVAL, LONGEST_INTERVAL);
            checkBetween("fixedDelay", fixedDelay, SHORTEST_INTERVAL, LONGEST_INTERVAL);
            checkRules();
            return new JobDeclaration(this);
        }

        private void checkCron() {
            if (cron == null) {
                if (zone != null) {
                    throw wrong("a zone belongs to a cron expression");
                }
                return;
            }
            cron = cron.strip();
            int fields = cron.split("\\s+").length;
            if (fields != 6 && fields != 7) {
                throw wrong("cron '%s' has %d fields; it takes 6 or 7, seconds first".formatted(cron, fields));
            }
        }

        private void checkRules() {
            if (param == null || param.length() > LONGEST_PARAM || param.indexOf('\0') >= 0) {
                throw wrong("param must have at most %d characters, and none of them U+0000".formatted(LONGEST_PARAM));
            }
            if (concurrency < 1 || concurrency > MOST_AT_ONCE) {
                throw wrong("concurrency must be between 1 and %d".formatted(MOST_AT_ONCE));
            }
            if (concurrency > 1 && block != BlockStrategy.CONCURRENT) {
                throw wrong("concurrency is only for the block strategy CONCURRENT");
            }
            checkBetween("timeout", timeout, Duration.ZERO, LONGEST_TIMEOUT);
            if (timeout.toMillis() % 1_000 != 0) {
                throw wrong("timeout must be whole seconds");
            }
            if (maxAttempts < 1 || maxAttempts > MAX_ATTEMPTS) {
                throw wrong("maxAttempts must be between 1 and %d, got %d".formatted(MAX_ATTEMPTS, maxAttempts));
            }
            checkBetween("backoff", backoff, Duration.ZERO, LONGEST_BACKOFF);
        }

        private void checkBetween(String field, Duration value, Duration shortest, Duration longest) {
            if (value != null && (value.compareTo(shortest) < 0 || value.compareTo(longest) > 0)) {
                throw wrong("%s must be between %s and %s".formatted(field, shortest, longest));
            }
        }

        IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("%s: %s".formatted(owner, what));
        }
    }
}
