package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import io.orth.runtime.BoundedBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** HTTP requests to executors of both kinds: bounded in time and size, with the group's token. */
final class ExecutorHttp {

    static final int LONGEST_ANSWER = 8 * 1024 * 1024;
    static final int OK = 200;
    private static final int REQUEST_TIMEOUT = 408;

    @FunctionalInterface
    interface ReplyReader<T> {
        T read(Reply reply) throws IOException;
    }

    private final HttpClient http;
    private final Supplier<String> installationId;
    private final BooleanSupplier paused;

    /** @param paused whether requests to executors are suspended at the moment */
    ExecutorHttp(HttpClient http, Supplier<String> installationId, BooleanSupplier paused) {
        this.http = http;
        this.installationId = installationId;
        this.paused = paused;
    }

    JsonObject post(Target target, String path, WireMessage message, Duration within)
            throws IOException, InterruptedException {
        return read(await(begin(target, path, message), within));
    }

    /** Returns the result of {@code reader} for the reply. */
    <T> T ask(Target target, String path, WireMessage question, Duration within, ReplyReader<T> reader)
            throws IOException, InterruptedException {
        try {
            return reader.read(Reply.from(post(target, path, question, within)));
        } catch (WireFormatException e) {
            throw new IOException("%s gave an answer that cannot be read".formatted(target.address()), e);
        }
    }

    /** Like {@link #ask}, but fails with {@link RequestRejectedException} unless the reply reports success. */
    <T> T demand(Target target, String path, WireMessage question, Duration within, ReplyReader<T> reader)
            throws IOException, InterruptedException {
        return ask(target, path, question, within, reply -> {
            if (!reply.succeeded()) {
                throw new RequestRejectedException("%s refused: %s".formatted(target.address(), reply.msg()));
            }
            return reader.read(reply);
        });
    }

    /** Sends a request without waiting for the response. The caller must complete it with {@link #await}. */
    CompletableFuture<HttpResponse<byte[]>> begin(Target target, String path, WireMessage message) {
        return begin(target, path, message, BoundedBody.handler(LONGEST_ANSWER));
    }

    /** Returns a response whose body is read as it arrives: {@code within} covers only its head. */
    <T> HttpResponse<T> open(Target target, String path, WireMessage message, BodyHandler<T> body, Duration within)
            throws IOException, InterruptedException {
        return await(begin(target, path, message, body), within);
    }

    private <T> CompletableFuture<HttpResponse<T>> begin(
            Target target, String path, WireMessage message, BodyHandler<T> body) {
        return paused.getAsBoolean()
                ? CompletableFuture.failedFuture(new IOException("the installation is paused"))
                : http.sendAsync(request(target, path, message), body);
    }

    /** Fails with {@link RequestRejectedException} if the status means that nothing was done. */
    static JsonObject read(HttpResponse<byte[]> response) throws IOException {
        int status = response.statusCode();
        if (isRejection(status)) {
            throw new RequestRejectedException("HTTP status " + status);
        }
        if (status != OK) {
            throw new IOException("HTTP status " + status);
        }
        return Json.readObject(response.body());
    }

    /** Excludes 408, because a server that timed out on a slow request may have forwarded it, and 5xx, which may come from a proxy. */
    private static boolean isRejection(int status) {
        return status >= 400 && status < 500 && status != REQUEST_TIMEOUT;
    }

    private HttpRequest request(Target target, String path, WireMessage message) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target.address() + path))
                .header("Content-Type", "application/json;charset=UTF-8")
                .header(Headers.ACCESS_TOKEN, target.token())
                .header(Headers.XXL_ACCESS_TOKEN, target.token())
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(message)));
        if (!target.isForeign()) {
            request.header(Headers.INSTALLATION_ID, installationId.get());
        }
        return request.build();
    }

    /** Waits for the response including its body; the client's own timeout ends with the headers. Cancels the request when time is up. */
    static <T> HttpResponse<T> await(CompletableFuture<HttpResponse<T>> answer, Duration within)
            throws IOException, InterruptedException {
        try {
            return answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + within, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException("the request failed", e.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
