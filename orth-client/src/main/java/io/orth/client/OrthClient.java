package io.orth.client;

import io.orth.protocol.Placeholders;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Client of Orth's REST API. Thread-safe. One instance is enough for an application, and it need not be closed.
 *
 * <pre>{@code
 * OrthClient orth = OrthClient.builder().admins("http://a:8080", "http://b:8080").token(token).build();
 * orth.queues().push("emails", new Letter("ann@example.com", "Hello"));
 * }</pre>
 *
 * <p>Calls throw {@link OrthClientException}. Unknown fields in responses of newer admins are ignored.
 */
public final class OrthClient {

    private final OrthQueues queues;
    private final OrthJobs jobs;
    private final OrthRuns runs;
    private final OrthPipelines pipelines;
    private final OrthInstallation installation;

    private OrthClient(Admins admins, Function<Object, String> payloads) {
        this.queues = new OrthQueues(admins, payloads);
        this.jobs = new OrthJobs(admins);
        this.runs = new OrthRuns(admins);
        this.pipelines = new OrthPipelines(admins, payloads);
        this.installation = new OrthInstallation(admins);
    }

    public static Builder builder() {
        return new Builder();
    }

    public OrthQueues queues() {
        return queues;
    }

    public OrthJobs jobs() {
        return jobs;
    }

    public OrthRuns runs() {
        return runs;
    }

    public OrthPipelines pipelines() {
        return pipelines;
    }

    public OrthInstallation installation() {
        return installation;
    }

    /** Builder of a client. Messages about invalid options start with the option's name. */
    public static final class Builder {

        private static final int MOST_RETRIES = 20;

        private final List<URI> admins = new ArrayList<>();
        private String token;
        private Duration timeout = Duration.ofSeconds(10);
        private int retries = 2;
        private Function<Object, String> payloads = PayloadJson::write;
        private Consumer<Supplier<String>> listener = text -> {};
        private Admins.Wait wait = time -> TimeUnit.NANOSECONDS.sleep(time.toNanos());

        private Builder() {}

        /** Adds admin addresses such as {@code http://orth:8080}. If an admin does not respond, the next one is called. Required. */
        public Builder admins(String... values) {
            return admins(List.of(values));
        }

        public Builder admins(List<String> values) {
            values.forEach(value -> admins.add(address(value)));
            return this;
        }

        /** Sets the API token. Pushing needs the role operator; defining and starting pipelines needs the role admin. Required. */
        public Builder token(String value) {
            token = value;
            return this;
        }

        /** Sets the maximum response time of one admin. Default: 10 s. */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** Sets how often all admins are called again if none has responded. Applies only to calls that are safe to repeat. Default: 2. */
        public Builder retries(int value) {
            retries = value;
            return this;
        }

        /** Sets the writer of payloads that are not texts, for example the application's own JSON mapper. */
        public Builder payloads(Function<Object, String> value) {
            payloads = value;
            return this;
        }

        /** Sets a listener that receives each successful response as received, before it is parsed; for programs that display it. */
        public Builder onAnswer(Consumer<String> value) {
            listener = text -> value.accept(text.get());
            return this;
        }

        Builder wait(Admins.Wait value) {
            wait = value;
            return this;
        }

        public OrthClient build() {
            Checks.that(!admins.isEmpty(), "admins must name at least one admin address");
            Checks.that(
                    token != null && !token.isBlank() && token.chars().allMatch(c -> c > ' ' && c < 127),
                    "token must be an API token");
            Placeholders.refuse("token", token);
            Checks.that(
                    timeout != null && !timeout.isNegative() && !timeout.isZero(),
                    "timeout must be positive, got " + timeout);
            Checks.that(retries >= 0 && retries <= MOST_RETRIES, "retries must be between 0 and " + MOST_RETRIES);
            Admins.Settings settings = new Admins.Settings(admins, timeout, retries);
            return new OrthClient(new Admins(settings, token, wait, listener), payloads);
        }

        private static URI address(String value) {
            String text = value.strip();
            try {
                URI uri = URI.create(text.endsWith("/") ? text : text + "/");
                Checks.that(
                        uri.getHost() != null
                                && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                                && uri.getQuery() == null,
                        "admins must be like http://host:port, got '%s'".formatted(value));
                return uri;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "admins must be like http://host:port, got '%s'".formatted(value), e);
            }
        }
    }
}
