package io.orth.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.BeatReply;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerBatchReply.Outcome;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * An executor that takes triggers and runs nothing: it remembers what it was sent and answers as it is told. Listens on a
 * loopback port of its own.
 */
public final class FakeExecutor implements AutoCloseable {

    private static final String OK_BODY_TYPE = "application/json";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<TriggerRequest> received = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final Map<Long, KnownRuns.State> known = new ConcurrentHashMap<>();
    private volatile String instanceId;
    private volatile Function<TriggerRequest, Outcome> answer = FakeExecutor::accept;
    private volatile boolean dropAnswers;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile String log = "";

    public FakeExecutor(String instanceId) {
        this.instanceId = instanceId;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        on(ExecutorPaths.BEAT, body -> new BeatReply(this.instanceId));
        on(ExecutorPaths.RUN_BATCH, body -> Reply.ok(run(TriggerBatch.from(body))));
        on(ExecutorPaths.KNOWN_RUNS, body -> Reply.ok(known(KnownRunsRequest.from(body))));
        on(ExecutorPaths.LOG_RANGE, body -> Reply.ok(log(LogRangeRequest.from(body))));
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:%d".formatted(server.getAddress().getPort());
    }

    public String instanceId() {
        return instanceId;
    }

    /** All triggers that came in, accepted or not, in order. */
    public List<TriggerRequest> received() {
        return List.copyOf(received);
    }

    /** The tokens it was shown. */
    public List<String> tokens() {
        return List.copyOf(tokens);
    }

    /** From now on it is another boot at the same address, which knows nothing of the one before. */
    public void restartAs(String newInstanceId) {
        known.clear();
        instanceId = newInstanceId;
    }

    public void refuse(String message) {
        answer = trigger -> new Outcome(trigger.logId(), Codes.FAIL, message);
    }

    /** As an executor does that is about to leave. */
    public void refuseAsStopping() {
        answer = trigger -> new Outcome(trigger.logId(), Codes.UNAVAILABLE, "the executor is stopping");
    }

    public void acceptAgain() {
        answer = FakeExecutor::accept;
        dropAnswers = false;
    }

    /** Takes what it is sent, then cuts the connection instead of answering. */
    public void dropAnswers() {
        dropAnswers = true;
    }

    /** Loses what it is sent and cuts the connection: to the sender it looks like {@link #dropAnswers}. */
    public void dropRequests() {
        dropAnswers = true;
        answer = trigger -> null;
    }

    /** From now on triggers are taken but get no answer, until {@link #resume()}. */
    public void hang() {
        gate = new CountDownLatch(1);
    }

    public void resume() {
        gate.countDown();
    }

    public void log(String text) {
        log = text;
    }

    private TriggerBatchReply run(TriggerBatch batch) {
        received.addAll(batch.triggers());
        List<Outcome> outcomes = batch.triggers().stream()
                .map(answer)
                .filter(outcome -> outcome != null)
                .toList();
        outcomes.stream()
                .filter(outcome -> outcome.code() == Codes.SUCCESS)
                .forEach(outcome -> known.put(outcome.logId(), KnownRuns.State.RUNNING));
        awaitGate();
        if (dropAnswers) {
            throw new UncheckedIOException(new IOException("answer dropped"));
        }
        return new TriggerBatchReply(instanceId, outcomes);
    }

    private void awaitGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("closed while it hung", e));
        }
    }

    private KnownRuns known(KnownRunsRequest question) {
        return new KnownRuns(
                instanceId,
                question.logIds().stream()
                        .filter(known::containsKey)
                        .map(id -> new KnownRuns.Known(id, known.get(id)))
                        .toList());
    }

    private LogRange log(LogRangeRequest question) {
        byte[] bytes = log.getBytes(StandardCharsets.UTF_8);
        int from = (int) Math.min(question.from(), bytes.length);
        int to = Math.min(from + question.maxBytes(), bytes.length);
        return new LogRange(
                bytes.length > 0, from, to, bytes.length, new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }

    private static Outcome accept(TriggerRequest trigger) {
        return new Outcome(trigger.logId(), Codes.SUCCESS, null);
    }

    private void on(String path, Function<JsonObject, WireMessage> handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                serve(exchange, handler);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        });
    }

    private void serve(HttpExchange exchange, Function<JsonObject, WireMessage> handler) throws IOException {
        String token = exchange.getRequestHeaders().getFirst(Headers.ACCESS_TOKEN);
        if (token != null) {
            tokens.add(token);
        }
        byte[] answerBody = Json.write(
                handler.apply(Json.readObject(exchange.getRequestBody().readAllBytes())));
        exchange.getResponseHeaders().set("Content-Type", OK_BODY_TYPE);
        exchange.sendResponseHeaders(200, answerBody.length);
        exchange.getResponseBody().write(answerBody);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
