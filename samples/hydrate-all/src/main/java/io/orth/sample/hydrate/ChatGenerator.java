package io.orth.sample.hydrate;

import io.orth.executor.FailForGoodException;
import io.orth.executor.RetryAfterException;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has an OpenAI-compatible chat endpoint write. What may go better the next time is tried again here a few times, with pauses that
 * grow; where the endpoint asks for more patience than that, the task comes back later and meanwhile takes no slot.
 */
final class ChatGenerator implements ContentGenerator {

    /**
     * Where and how.
     *
     * @param baseUrl such as {@code https://api.example.org/v1}; {@code /chat/completions} is below it
     * @param apiKey null if there is none
     * @param timeout of one request, from the first byte to the last
     * @param retries how often a request is repeated
     * @param firstPause before the first repetition; twice as long before each other
     * @param longestPause what the endpoint may ask for; beyond it the task comes back later
     */
    record Settings(
            URI baseUrl,
            String apiKey,
            String model,
            int requestsPerMinute,
            Duration timeout,
            int retries,
            Duration firstPause,
            Duration longestPause) {}

    /** It did not work, and may work the next time. */
    private static final class PassingException extends Exception {

        private static final long serialVersionUID = 1;

        /** What the endpoint asks for; null if it does not say. */
        private final Duration pause;

        PassingException(String reason, Duration pause) {
            super(reason);
            this.pause = pause;
        }
    }

    private static final int OK = 200;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int MOST_BYTES = 1024 * 1024;
    private static final int MOST_TEXT = 100_000;
    private static final int MOST_OF_AN_ERROR = 300;

    private final Settings settings;
    private final RateLimit rate;
    private final HttpClient http;
    private final URI endpoint;

    ChatGenerator(Settings settings) {
        this.settings = settings;
        this.rate = new RateLimit(settings.requestsPerMinute());
        this.endpoint = URI.create(settings.baseUrl().toString().replaceAll("/+$", "") + "/chat/completions");
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .build();
    }

    @Override
    public String version() {
        return "chat-1 " + settings.model();
    }

    @Override
    public String generate(Prompt prompt, String traceparent) throws InterruptedException {
        Duration pause = settings.firstPause();
        for (int tries = 0; ; tries++) {
            try {
                rate.await();
                return textIn(ask(prompt, traceparent));
            } catch (PassingException e) {
                Duration wanted = e.pause == null ? pause : e.pause;
                if (tries >= settings.retries() || wanted.compareTo(settings.longestPause()) > 0) {
                    throw e.pause == null
                            ? new IllegalStateException(e.getMessage(), e)
                            : new RetryAfterException(e.pause, e.getMessage(), e);
                }
                rate.pause(wanted);
                pause = pause.multipliedBy(2);
            }
        }
    }

    private byte[] ask(Prompt prompt, String traceparent) throws InterruptedException, PassingException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/json")
                .header("traceparent", traceparent)
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(Map.of(
                        "model",
                        settings.model(),
                        "messages",
                        List.of(Map.of("role", "user", "content", prompt.text()))))));
        if (settings.apiKey() != null) {
            request.header("Authorization", "Bearer " + settings.apiKey());
        }
        CompletableFuture<HttpResponse<byte[]>> answer = http.sendAsync(
                request.build(),
                info -> HttpResponse.BodySubscribers.mapping(
                        HttpResponse.BodySubscribers.ofInputStream(), ChatGenerator::bounded));
        try {
            // The client's own timeout ends with the headers; this one covers the body too.
            HttpResponse<byte[]> response = answer.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
            check(response);
            return response.body();
        } catch (TimeoutException e) {
            throw new PassingException("the endpoint did not answer within " + settings.timeout(), null);
        } catch (ExecutionException e) {
            throw new PassingException("the endpoint cannot be reached: " + e.getCause(), null);
        } finally {
            answer.cancel(true);
        }
    }

    /** One byte more than allowed tells that there were more. */
    private static byte[] bounded(InputStream body) {
        try (body) {
            return body.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static void check(HttpResponse<byte[]> response) throws PassingException {
        int status = response.statusCode();
        if (response.body().length > MOST_BYTES) {
            throw new FailForGoodException("the endpoint's answer is longer than %d bytes".formatted(MOST_BYTES));
        }
        if (status == OK) {
            return;
        }
        String text = new String(
                response.body(), 0, Math.min(MOST_OF_AN_ERROR, response.body().length), StandardCharsets.UTF_8);
        String reason = "the endpoint answered %d: %s".formatted(status, text);
        if (status == TOO_MANY || status == REQUEST_TIMEOUT || status >= SERVER_ERROR) {
            throw new PassingException(reason, retryAfter(response).orElse(null));
        }
        throw new FailForGoodException(reason);
    }

    /** In seconds; a date, which is allowed as well, is taken for no answer. */
    private static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> value.strip().matches("\\d{1,6}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value.strip())));
    }

    private static String textIn(byte[] answer) throws PassingException {
        try {
            String text = Json.readObject(answer).objects("choices").stream()
                    .findFirst()
                    .flatMap(choice -> choice.object("message"))
                    .map((JsonObject message) -> message.text("content", ""))
                    .orElse("")
                    .strip();
            if (text.isEmpty()) {
                throw new PassingException("the endpoint's answer has no text", null);
            }
            return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
        } catch (WireFormatException e) {
            throw new PassingException("the endpoint's answer cannot be read: " + e.getMessage(), null);
        }
    }
}
