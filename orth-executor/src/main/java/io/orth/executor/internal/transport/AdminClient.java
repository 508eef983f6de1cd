package io.orth.executor.internal.transport;

import io.orth.executor.internal.Threads;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Talks to the admins over HTTP; follows no redirects, waits no longer and reads no more than its limits allow. */
public final class AdminClient implements Admins, AutoCloseable {

    private static final int OK = 200;
    private static final int TOO_LARGE = 413;
    private static final int CLIENT_THREADS = 2;

    /** How the thread that reads answers is called. Were that to change, answers would take a little longer. */
    private static final String READER = "-SelectorManager";

    private static final int ANSWER_BYTES = 1024 * 1024;

    private final AdminDirectory directory;
    private final String accessToken;
    private final Limits usual;
    private final ExecutorService threads;
    private final HttpClient client;

    public AdminClient(List<URI> admins, String accessToken, Duration timeout) {
        this.directory = new AdminDirectory(admins, System::nanoTime);
        this.accessToken = accessToken;
        this.usual = new Limits(timeout, ANSWER_BYTES);
        this.threads = Executors.newFixedThreadPool(CLIENT_THREADS, Threads.services("orth-admin-client", true));
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .executor(this::execute)
                .build();
    }

    /**
     * The client's own thread does what little an answer takes: handed on to another, every message would begin later. What a request
     * takes may be longer, such as looking up a name, and more than the one who waits for it has time for.
     */
    private void execute(Runnable task) {
        if (Thread.currentThread().getName().endsWith(READER)) {
            task.run();
        } else {
            threads.execute(task);
        }
    }

    @Override
    public Outcome post(String path, byte[] body) throws InterruptedException {
        return post(path, body, usual);
    }

    /** When the calling thread is interrupted, the request is broken off. */
    @Override
    public Outcome post(String path, byte[] body, Limits limits) throws InterruptedException {
        Outcome worst = null;
        for (URI admin : directory.inOrder()) {
            Outcome outcome = postTo(admin, path, body, limits);
            if (outcome instanceof Outcome.Accepted) {
                directory.answered(admin);
                return outcome;
            }
            directory.failed(admin);
            worst = worst instanceof Outcome.Refused ? worst : outcome;
        }
        return worst;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private Outcome postTo(URI admin, String path, byte[] body, Limits limits) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(admin.resolve("." + path))
                .header("Content-Type", "application/json;charset=UTF-8")
                .header(Headers.ACCESS_TOKEN, accessToken)
                .header(Headers.XXL_ACCESS_TOKEN, accessToken)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, BoundedBody.handler(limits.answerBytes()));
        try {
            // The client's own timeout ends with the headers; this one covers the body too.
            return outcomeOf(admin, answer.get(limits.timeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Outcome.Unreachable("%s did not answer within %s".formatted(admin, limits.timeout()));
        } catch (ExecutionException e) {
            String reason = "%s: %s".formatted(admin, e.getCause());
            // The same again would be as long; less may fit.
            return isTooLong(e) ? new Outcome.Refused(reason) : new Outcome.Unreachable(reason);
        } finally {
            answer.cancel(true);
        }
    }

    private static boolean isTooLong(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BoundedBody.TooLongException) {
                return true;
            }
        }
        return false;
    }

    private static Outcome outcomeOf(URI admin, HttpResponse<byte[]> answer) {
        if (answer.statusCode() == TOO_LARGE) {
            return new Outcome.Refused("%s finds the request too large".formatted(admin));
        }
        if (answer.statusCode() != OK) {
            return new Outcome.Unreachable("%s answered with HTTP status %d".formatted(admin, answer.statusCode()));
        }
        try {
            JsonObject body = Json.readObject(answer.body());
            Reply reply = Reply.from(body);
            return reply.succeeded()
                    ? new Outcome.Accepted(body)
                    : new Outcome.Refused("%s answered %d: %s".formatted(admin, reply.code(), reply.msg()));
        } catch (WireFormatException e) {
            return new Outcome.Unreachable("%s did not answer as an admin: %s".formatted(admin, e.getMessage()));
        }
    }
}
