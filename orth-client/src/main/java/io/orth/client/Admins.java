package io.orth.client;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import io.orth.runtime.BoundedBody;
import io.orth.runtime.DoublingDelay;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * HTTP client with failover between admins. If an admin does not respond, the next one is called, and all of them are called again up to
 * the configured number of retries. A call that is not repeatable is sent again only if it cannot have arrived. Time and response size are
 * limited. Redirects are not followed, because they could send the token elsewhere.
 */
final class Admins {

    /** Maximum response size in bytes. */
    private static final long LONGEST_ANSWER = 64 * 1024 * 1024;

    private static final Duration FIRST_WAIT = Duration.ofMillis(200);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    /** Temporary failures: too many requests, a proxy without its admin, an admin without its database. */
    private static final Set<Integer> NOT_NOW = Set.of(429, 502, 503, 504);

    /** Pause between retries. */
    @FunctionalInterface
    interface Wait {
        void pass(Duration time) throws InterruptedException;
    }

    /**
     * Addresses and limits.
     *
     * @param timeout maximum response time of one admin
     * @param retries how often all admins are called again
     */
    record Settings(List<URI> admins, Duration timeout, int retries) {}

    private final List<URI> admins;
    private final String authorization;
    private final Duration timeout;
    private final int rounds;
    private final Wait wait;
    private final Consumer<Supplier<String>> listener;
    private final HttpClient http;
    /** Index of the admin that is called first: the one that responded last. */
    private volatile int first;

    /** @param listener receives the text of each successful response */
    Admins(Settings settings, String token, Wait wait, Consumer<Supplier<String>> listener) {
        this.admins = List.copyOf(settings.admins());
        this.authorization = "Bearer " + token;
        this.timeout = settings.timeout();
        this.rounds = 1 + settings.retries();
        this.wait = wait;
        this.listener = listener;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    /** Result of one attempt: a response, or a failure and whether another attempt is allowed. */
    private record Try(Answer answer, OrthClientException failure, boolean again) {}

    /** A successful response, parsed and as received. */
    private record Answer(JsonObject json, Supplier<String> text) {}

    JsonObject call(AdminCall call) {
        return answer(call).json();
    }

    /** Returns the response text as received. */
    String text(AdminCall call) {
        return answer(call).text().get();
    }

    private Answer answer(AdminCall call) {
        OrthClientException last = null;
        for (int round = 0; round < rounds; round++) {
            if (round > 0) {
                rest(round);
            }
            int start = first;
            for (int i = 0; i < admins.size(); i++) {
                int admin = (start + i) % admins.size();
                Try result = tryOnce(admins.get(admin), call);
                if (result.answer() != null) {
                    first = admin;
                    listener.accept(result.answer().text());
                    return result.answer();
                }
                if (!result.again()) {
                    throw result.failure();
                }
                last = result.failure();
            }
        }
        throw last;
    }

    private void rest(int round) {
        try {
            wait.pass(DoublingDelay.after(round, FIRST_WAIT, LONGEST_WAIT));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private Try tryOnce(URI admin, AdminCall call) {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request(admin, call), BoundedBody.handler(LONGEST_ANSWER));
        try {
            // The timeout of the HTTP client covers only the headers; this one covers the body too.
            return outcome(admin, call, answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return failed("%s did not answer within %s".formatted(admin, timeout), e, call.repeatable());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            boolean unsent = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
            return failed("%s: %s".formatted(admin, cause), cause, unsent || call.repeatable());
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            answer.cancel(true);
        }
    }

    private HttpRequest request(URI admin, AdminCall call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(admin.resolve("." + call.path()))
                .header("Authorization", authorization)
                .header("Accept", "application/json")
                .method(
                        call.method(),
                        call.body() == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(call.body().bytes().get()));
        if (call.body() != null) {
            request.header("Content-Type", call.body().type());
        }
        if (call.key() != null) {
            request.header("Idempotency-Key", call.key());
        }
        return request.build();
    }

    private static Try outcome(URI admin, AdminCall call, HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        JsonObject body;
        try {
            body = Json.readObject(answer.body());
        } catch (WireFormatException e) {
            String what = "%s answered %d, and not as an admin: %s".formatted(admin, status, e.getMessage());
            return failed(what, e, call.repeatable() || NOT_NOW.contains(status));
        }
        if (status >= 200 && status < 300) {
            return new Try(new Answer(body, () -> new String(answer.body(), StandardCharsets.UTF_8)), null, false);
        }
        OrthClientException problem = problem(admin, status, body);
        // An executor that one admin cannot reach is unreachable for every admin.
        boolean again = NOT_NOW.contains(status) && !problem.code().equals("EXECUTOR_UNREACHABLE");
        return new Try(null, problem, again && (call.repeatable() || status == 429));
    }

    private static OrthClientException problem(URI admin, int status, JsonObject body) {
        try {
            return new OrthClientException(
                    status,
                    body.text("code", "HTTP_" + status),
                    body.text("detail", "%s answered with HTTP status %d".formatted(admin, status)),
                    body.objects("errors").stream()
                            .map(error -> new OrthClientException.FieldError(
                                    error.text("field", ""), error.text("message", "")))
                            .toList(),
                    body.text("traceId"),
                    null);
        } catch (WireFormatException e) {
            return new OrthClientException(status, "HTTP_" + status, e.getMessage(), List.of(), null, e);
        }
    }

    private static Try failed(String message, Throwable cause, boolean again) {
        return new Try(null, OrthClientException.unreachable(message, cause), again);
    }

    private static OrthClientException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return OrthClientException.unreachable("interrupted while an admin was asked", e);
    }
}
