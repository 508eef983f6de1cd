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
 * Talks to the admins over HTTP; follows no redirects, waits no longer and reads no more than its limits allow. All callers share what
 * it knows of admins that do not answer: once a request has found that out, no other waits for them.
 */
public final class AdminClient implements Admins, AutoCloseable {

    private static final int OK = 200;
    private static final int TOO_LARGE = 413;
    private static final int CLIENT_THREADS = 2;

    /** How the thread that reads answers is called. Were that to change, answers would take a little longer. */
    private static final String READER = "-SelectorManager";

    private static final int ANSWER_BYTES = 1024 * 1024;

    /** Answered without a token; admins of other kinds answer it in some way too. */
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

    /** A request that has no answer yet. */
    private record Waiting(URI admin, long askedAt, CompletableFuture<HttpResponse<byte[]>> answer) {}

    public AdminClient(List<URI> admins, String accessToken, Duration timeout) {
        this(admins, accessToken, timeout, System::nanoTime);
    }

    /** @param nanos a monotonic clock, by which admins that do not answer are left alone */
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
            // Where there is no other, it is asked all the same: a probe may fail where a request does not.
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

    // --- admins that do not answer

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

    /** Requests that have waited since before the admin became silent need not wait for their timeout. */
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
            // The same again would be as long; less may fit.
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
