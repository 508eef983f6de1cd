package io.orth.executor.internal.transport;

import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.runtime.BoundedBody;
import io.orth.runtime.Threads;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * HTTP client for the admins. Follows no redirects and limits the time and size of responses. All callers share the knowledge of
 * silent admins: once a request has found one, no other waits for it.
 */
public final class AdminClient implements Admins, AutoCloseable {

    private static final int OK = 200;
    private static final int TOO_LARGE = 413;
    private static final int CLIENT_THREADS = 2;

    /** Name of the thread that reads responses. If the JDK renamed it, responses would only take slightly longer. */
    private static final String READER = "-SelectorManager";

    private static final int ANSWER_BYTES = 1024 * 1024;

    /** Needs no token. Admins of other kinds respond to it in some way as well. */
    private static final String PROBE_PATH = "./actuator/health";

    private static final Duration MAX_PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final int SERVER_ERROR = 500;

    private final AdminDirectory directory;
    private final String accessToken;
    private final Limits usual;
    private final ExecutorService threads;
    private final HttpClient client;
    private final LongSupplier nanos;
    private final Duration probeTimeout;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

    /** A request without a response. */
    private record Waiting(URI admin, long askedAt, CompletableFuture<HttpResponse<byte[]>> answer) {}

    public AdminClient(List<URI> admins, String accessToken, Duration timeout) {
        this(admins, accessToken, timeout, System::nanoTime);
    }

    /** @param nanos a monotonic clock, which measures how long silent admins are skipped */
    AdminClient(List<URI> admins, String accessToken, Duration timeout, LongSupplier nanos) {
        this.directory = new AdminDirectory(admins, this::answers, this::breakOff, nanos);
        this.nanos = nanos;
        this.probeTimeout = shorter(timeout, MAX_PROBE_TIMEOUT);
        this.accessToken = accessToken;
        this.usual = new Limits(timeout, ANSWER_BYTES);
        this.threads = Executors.newFixedThreadPool(CLIENT_THREADS, Threads.services("admin-client", true));
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .executor(this::execute)
                .build();
    }

    /**
     * Runs short response processing on the client's own thread, because a handover would delay every message. Sending a request
     * may take longer, for example to resolve a name, and runs on another thread.
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

    /** Sends a request. An interrupt of the calling thread aborts it. */
    @Override
    public Outcome post(String path, byte[] body, Limits limits) throws InterruptedException {
        List<URI> responsive = directory.responsive();
        Outcome worst = null;
        for (URI admin : responsive) {
            Outcome outcome = ask(admin, path, body, limits);
            if (outcome instanceof Outcome.Accepted) {
                return outcome;
            }
            worst = worse(worst, outcome);
        }
        List<URI> silent = directory.silent().stream()
                .filter(admin -> !responsive.contains(admin))
                .toList();
        List<CompletionStage<Boolean>> probes =
                silent.stream().map(directory::probe).toList();
        for (int i = 0; i < silent.size(); i++) {
            boolean answers = isYes(probes.get(i));
            // If there is no other admin, send the request anyway: a probe may fail although a request succeeds.
            if (answers || responsive.isEmpty()) {
                Outcome outcome = ask(silent.get(i), path, body, answers ? limits : briefly(limits));
                if (outcome instanceof Outcome.Accepted) {
                    return outcome;
                }
                worst = worse(worst, outcome);
            }
        }
        return worst;
    }

    private static Outcome worse(Outcome before, Outcome outcome) {
        return before instanceof Outcome.Refused ? before : outcome;
    }

    private Limits briefly(Limits limits) {
        return new Limits(shorter(limits.timeout(), usual.timeout()), limits.answerBytes());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Outcome ask(URI admin, String path, byte[] body, Limits limits) throws InterruptedException {
        long askedAt = nanos.getAsLong();
        Outcome outcome = postTo(admin, path, body, limits);
        if (outcome instanceof Outcome.Accepted) {
            directory.answered(admin);
        } else if (outcome instanceof Outcome.Refused) {
            directory.refused(admin);
        } else {
            directory.silent(admin, askedAt);
        }
        return outcome;
    }

    // --- silent admins

    private static boolean isYes(CompletionStage<Boolean> probe) throws InterruptedException {
        try {
            return probe.toCompletableFuture().get();
        } catch (ExecutionException e) {
            return false;
        }
    }

    private CompletionStage<Boolean> answers(URI admin) {
        HttpRequest request =
                HttpRequest.newBuilder(admin.resolve(PROBE_PATH)).GET().build();
        CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(request, BodyHandlers.discarding());
        return answer.copy()
                .orTimeout(probeTimeout.toNanos(), TimeUnit.NANOSECONDS)
                .handle((response, failure) -> {
                    answer.cancel(true);
                    return failure == null && response.statusCode() < SERVER_ERROR;
                });
    }

    /** Aborts requests that have been waiting since before the admin fell silent; they need not reach their timeout. */
    private void breakOff(URI admin, long silentSince) {
        for (Waiting each : waiting) {
            if (each.admin().equals(admin) && each.askedAt() - silentSince < 0) {
                each.answer().cancel(true);
            }
        }
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
        Waiting asked = new Waiting(admin, nanos.getAsLong(), answer);
        waiting.add(asked);
        try {
            // The client's own timeout ends with the headers; this one covers the body too.
            return outcomeOf(admin, answer.get(limits.timeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Outcome.Unreachable("%s did not answer within %s".formatted(admin, limits.timeout()));
        } catch (CancellationException e) {
            return new Outcome.Unreachable("%s does not answer others either".formatted(admin));
        } catch (ExecutionException e) {
            String reason = "%s: %s".formatted(admin, e.getCause());
            // The same request would yield the same oversized response; a smaller one may fit.
            return isTooLong(e) ? new Outcome.Refused(reason) : new Outcome.Unreachable(reason);
        } finally {
            waiting.remove(asked);
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
