package io.orth.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.BeatReply;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.KillRequest;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An executor that takes triggers and runs nothing: it remembers what it was sent and answers as it is told. Listens on a
 * loopback port of its own.
 */
public final class FakeExecutor implements AutoCloseable {

    private static final String OK_BODY_TYPE = "application/json";
    private static final String END = "\0end";
    private static final String CUT = "\0cut";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<TriggerRequest> received = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final List<String> installations = new CopyOnWriteArrayList<>();
    private final List<KillRequest> kills = new CopyOnWriteArrayList<>();
    private final AtomicInteger largestRequest = new AtomicInteger();
    private final Map<Long, Known> known = new ConcurrentHashMap<>();
    private volatile String instanceId;
    private volatile Function<TriggerRequest, Outcome> answer = FakeExecutor::accept;
    private volatile boolean dropAnswers;
    private volatile boolean dropKills;
    private volatile long unsentResults;
    private final List<Long> questions = new CopyOnWriteArrayList<>();
    private volatile boolean draining;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile String log = "";
    private volatile long logsUntil = Long.MAX_VALUE;
    private volatile boolean streaming;
    private volatile Integer progress;

    /** What is to be sent to each stream: the whole log so far, or one of the marks. */
    private final List<BlockingQueue<String>> streams = new CopyOnWriteArrayList<>();

    public FakeExecutor(String instanceId) {
        this(instanceId, 0);
    }

    /** One that listens where another did, as after a cut of the network. */
    public static FakeExecutor at(String address, String instanceId) {
        return new FakeExecutor(instanceId, URI.create(address).getPort());
    }

    private FakeExecutor(String instanceId, int port) {
        this.instanceId = instanceId;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        on(ExecutorPaths.BEAT, body -> new BeatReply(this.instanceId));
        on(ExecutorPaths.RUN_BATCH, body -> Reply.ok(run(TriggerBatch.from(body))));
        on(
                ExecutorPaths.KNOWN_RUNS,
                body -> Reply.ok(ask(KnownRunsRequest.from(body).logIds())));
        on(ExecutorPaths.KILL_RUNS, body -> Reply.ok(kill(KillRequest.from(body))));
        on(ExecutorPaths.LOG_RANGE, body -> Reply.ok(log(LogRangeRequest.from(body))));
        on(ExecutorPaths.DRAIN, this::drain);
        server.createContext(ExecutorPaths.LOG_STREAM, this::stream);
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

    /** The installations that requests came from, as they said. */
    public List<String> installations() {
        return List.copyOf(installations);
    }

    /** How many bytes the longest request had. */
    public int largestRequest() {
        return largestRequest.get();
    }

    /** The requests to end runs, in order. */
    public List<KillRequest> kills() {
        return List.copyOf(kills);
    }

    /** From now on it has this attempt, which it was given by another way than a trigger. */
    public void knows(long logId) {
        known.put(logId, new Known(logId, KnownRuns.State.RUNNING));
    }

    /** From now on it has finished this run, or attempt at a message, with this result. */
    public void finished(long logId, int code, String message) {
        known.put(logId, new Known(logId, KnownRuns.State.FINISHED, code, message));
    }

    /** From now on it has failed this run, or attempt at a message, in a way that no further attempt can fix. */
    public void failedForGood(long logId, String message) {
        known.put(logId, new Known(logId, KnownRuns.State.FINISHED, Codes.FAIL, message, false, true, null));
    }

    /** The same of an attempt at a message whose result no admin has confirmed. */
    public void finishedUnsent(long logId, int code) {
        known.put(logId, new Known(logId, KnownRuns.State.FINISHED, code, null).asUnsent());
    }

    /** From now on it has so many results of runs that no admin has confirmed. */
    public void unsentResults(long results) {
        unsentResults = results;
    }

    /** The log ids that it was asked about, in order. */
    public List<Long> questions() {
        return List.copyOf(questions);
    }

    /** From now on it says that this run has finished here; reporting its result is left to the test. */
    public void finish(long logId) {
        known.put(logId, new Known(logId, KnownRuns.State.FINISHED));
        unsentResults = 1;
    }

    /** From now on it forgets this run, as one that it never saw. */
    public void forget(long logId) {
        known.remove(logId);
    }

    /** From now on it cuts the connection instead of answering requests to end runs. */
    public void dropKills(boolean drop) {
        dropKills = drop;
    }

    /** From now on it is another boot at the same address, which knows nothing of the one before. */
    public void restartAs(String newInstanceId) {
        known.clear();
        instanceId = newInstanceId;
    }

    public void refuse(String message) {
        answer = trigger -> new Outcome(trigger.logId(), Codes.FAIL, message);
    }

    /** As an executor does on which the job is busy, with the block strategy DISCARD. */
    public void discard() {
        answer = trigger -> new Outcome(trigger.logId(), Codes.BUSY, BlockStrategy.DISCARDED);
    }

    /** As an executor does that is about to leave. */
    public void refuseAsStopping() {
        answer = trigger -> new Outcome(trigger.logId(), Codes.UNAVAILABLE, "the executor is stopping");
    }

    /** From now on it takes what it is sent and hands it to {@code work}, which returns at once. */
    public void accept(Consumer<TriggerRequest> work) {
        answer = trigger -> {
            work.accept(trigger);
            return accept(trigger);
        };
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

    /** From now on it has no logs of runs after this moment, as if a new day had begun then. */
    public void keepLogsUntil(Instant moment) {
        logsUntil = moment.toEpochMilli();
    }

    /** From now on the log is streamed to whoever asks, piece by piece as it is added to; before, that is refused. */
    public void streamLogs() {
        streaming = true;
    }

    /** From now on what is read of the log says that the run is so far. */
    public void progress(int percent) {
        progress = percent;
    }

    /** Adds to the log, and to all streams. */
    public synchronized void addToLog(String text) {
        log = log + text;
        streams.forEach(stream -> stream.add(log));
    }

    /** The run has ended here: streams end. */
    public void endLog() {
        streams.forEach(stream -> stream.add(END));
    }

    /** Cuts all streams in the middle. */
    public void cutStreams() {
        streams.forEach(stream -> stream.add(CUT));
    }

    /** How many streams were opened so far. */
    public int streamsOpened() {
        return streams.size();
    }

    private TriggerBatchReply run(TriggerBatch batch) {
        received.addAll(batch.triggers());
        List<Outcome> outcomes = batch.triggers().stream()
                .map(answer)
                .filter(outcome -> outcome != null)
                .toList();
        outcomes.stream().filter(outcome -> outcome.code() == Codes.SUCCESS).forEach(outcome -> knows(outcome.logId()));
        awaitGate();
        if (dropAnswers) {
            throw new UncheckedIOException(new IOException("answer dropped"));
        }
        return new TriggerBatchReply(instanceId, outcomes);
    }

    /** Answers what it knew of them; reporting their results is left to the test. */
    private KnownRuns kill(KillRequest request) {
        kills.add(request);
        if (dropKills) {
            throw new UncheckedIOException(new IOException("answer dropped"));
        }
        return known(request.logIds());
    }

    private void awaitGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("closed while it hung", e));
        }
    }

    private KnownRuns ask(List<Long> logIds) {
        questions.addAll(logIds);
        return known(logIds);
    }

    private KnownRuns known(List<Long> logIds) {
        return new KnownRuns(
                instanceId,
                logIds.stream().filter(known::containsKey).map(known::get).toList(),
                unsentResults);
    }

    private Reply drain(JsonObject body) {
        if (!instanceId.equals(body.text("instanceId"))) {
            return Reply.fail("this is instance " + instanceId);
        }
        draining = true;
        return Reply.ok();
    }

    /** Whether it was told to take no more work. */
    public boolean isDraining() {
        return draining;
    }

    private LogRange log(LogRangeRequest question) {
        byte[] bytes = (question.logDateTime() < logsUntil ? log : "").getBytes(StandardCharsets.UTF_8);
        int from = (int) Math.min(question.from(), bytes.length);
        int to = Math.min(from + question.maxBytes(), bytes.length);
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        return new LogRange(bytes.length > 0, from, to, bytes.length, text).withProgress(progress);
    }

    private void stream(HttpExchange exchange) throws IOException {
        try (exchange) {
            LogRangeRequest question = LogRangeRequest.from(
                    Json.readObject(exchange.getRequestBody().readAllBytes()));
            if (!streaming) {
                byte[] refusal = Json.write(Reply.fail("told not to stream"));
                exchange.sendResponseHeaders(200, refusal.length);
                exchange.getResponseBody().write(refusal);
                return;
            }
            BlockingQueue<String> pieces = openStream();
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson;charset=UTF-8");
            exchange.sendResponseHeaders(200, 0);
            send(pieces, question.from(), exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized BlockingQueue<String> openStream() {
        BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
        pieces.add(log);
        streams.add(pieces);
        return pieces;
    }

    private void send(BlockingQueue<String> pieces, long from, HttpExchange exchange)
            throws IOException, InterruptedException {
        int sent = (int) from;
        for (String whole = pieces.take(); !whole.equals(CUT); whole = pieces.take()) {
            boolean end = whole.equals(END);
            byte[] bytes = end ? new byte[sent] : whole.getBytes(StandardCharsets.UTF_8);
            String text = new String(bytes, sent, bytes.length - sent, StandardCharsets.UTF_8);
            LogRange piece = new LogRange(true, sent, bytes.length, bytes.length, text).withProgress(progress);
            exchange.getResponseBody().write(Json.write(end ? piece.asEnd() : piece));
            exchange.getResponseBody().write('\n');
            exchange.getResponseBody().flush();
            sent = bytes.length;
            if (end) {
                return;
            }
        }
        throw new IOException("told to cut the stream");
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
            installations.add(String.valueOf(exchange.getRequestHeaders().getFirst(Headers.INSTALLATION_ID)));
        }
        byte[] question = exchange.getRequestBody().readAllBytes();
        largestRequest.accumulateAndGet(question.length, Math::max);
        byte[] answerBody = Json.write(handler.apply(Json.readObject(question)));
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
