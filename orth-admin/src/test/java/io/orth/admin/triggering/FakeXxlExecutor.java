package io.orth.admin.triggering;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An executor that speaks the XXL-JOB protocol, in either generation, on its own loopback port. */
public final class FakeXxlExecutor implements AutoCloseable {

    /** The generation determines the name of the payload field in a reply. */
    public enum Generation {
        W2("content"),
        W3("data");

        private final String payload;

        Generation(String payload) {
            this.payload = payload;
        }
    }

    private final Generation generation;
    private final String base;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Map<String, Object>> runs = new CopyOnWriteArrayList<>();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Set<Integer> busyJobs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private volatile String refusal;
    private volatile boolean mute;
    private volatile int status = 200;
    private volatile boolean hasLog = true;
    private volatile Runnable beforeAnswer = () -> {};

    public FakeXxlExecutor(Generation generation) {
        this(generation, "");
    }

    /** {@code base} is the path prefix of its endpoints. */
    public FakeXxlExecutor(Generation generation, String base) {
        this.generation = generation;
        this.base = base;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), base);
    }

    /** Paths and bodies, in the order of the calls. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    List<String> callsOf(String path) {
        return calls.stream().filter(call -> call.startsWith(path + " ")).toList();
    }

    /** The parsed bodies of {@code /run}. */
    List<Map<String, Object>> runs() {
        return List.copyOf(runs);
    }

    Set<String> tokens() {
        return Set.copyOf(tokens);
    }

    int mostUnderWay() {
        return mostUnderWay.get();
    }

    /** Makes it reject triggers with this reason; null accepts them again. */
    void refuse(String reason) {
        refusal = reason;
    }

    /** Makes it process requests and close the connection without a response. */
    void goMute() {
        mute = true;
    }

    /** Makes it respond again. */
    void speak() {
        mute = false;
    }

    /** Makes it respond to every request with this HTTP status, as another server at its address would. */
    void answerWithStatus(int httpStatus) {
        status = httpStatus;
    }

    void beforeAnswer(Runnable work) {
        beforeAnswer = work;
    }

    void busy(int jobId) {
        busyJobs.add(jobId);
    }

    void idle(int jobId) {
        busyJobs.remove(jobId);
    }

    public void print(String... more) {
        lines.addAll(List.of(more));
    }

    void rewriteLastLine(String text) {
        lines.set(lines.size() - 1, text);
    }

    void loseLog() {
        hasLog = false;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            byte[] body = exchange.getRequestBody().readAllBytes();
            calls.add(path + " " + new String(body, StandardCharsets.UTF_8));
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst(Headers.XXL_ACCESS_TOKEN)));
            mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            try {
                beforeAnswer.run();
                answer(exchange, path, body);
            } finally {
                underWay.decrementAndGet();
            }
        }
    }

    private void answer(HttpExchange exchange, String path, byte[] body) throws IOException {
        if (status != 200) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        String reply = switch (path.startsWith(base) ? path.substring(base.length()) : "") {
            case "/beat" -> ok();
            case "/run" -> run(body);
            case "/idleBeat" ->
                busyJobs.contains(jobOf(body)) ? fail("job thread is running or has trigger queue.") : ok();
            case "/kill" -> kill(jobOf(body));
            case "/log" -> log(Json.readObject(body));
            default -> fail("invalid request, uri-mapping(%s) not found.".formatted(path));
        };
        if (mute) {
            return;
        }
        byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html;charset=UTF-8");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private String run(byte[] body) {
        if (refusal != null) {
            return fail(refusal);
        }
        Map<?, ?> fields = (Map<?, ?>) Json.read(body);
        Map<String, Object> run = new ConcurrentHashMap<>();
        fields.forEach((name, value) -> run.put(name.toString(), value));
        runs.add(run);
        return ok();
    }

    private String kill(int job) {
        if (busyJobs.remove(job)) {
            return ok();
        }
        String words = "\"job thread already killed.\"";
        return generation == Generation.W2
                ? "{\"code\":200,\"msg\":%s}".formatted(words)
                : "{\"code\":200,\"msg\":\"Success\",\"data\":%s}".formatted(words);
    }

    /** Counts lines like real executors: past the end, the older generation returns the last line number, the newer 0. */
    private String log(JsonObject question) {
        int from = question.integer("fromLineNum", 0);
        List<String> found = new ArrayList<>(lines);
        if (!hasLog) {
            return logReply(from, 0, "readLog fail, logFile not exists", true);
        }
        if (from > found.size()) {
            return logReply(from, generation == Generation.W2 ? found.size() : 0, "", false);
        }
        String text = String.join("\n", found.subList(from - 1, found.size())) + "\n";
        return logReply(from, found.size(), text, false);
    }

    private String logReply(int from, int to, String text, boolean end) {
        Map<String, Object> payload = Map.of("fromLineNum", from, "toLineNum", to, "logContent", text, "isEnd", end);
        return new String(Json.write(Map.of("code", 200, generation.payload, payload)), StandardCharsets.UTF_8);
    }

    private static int jobOf(byte[] body) {
        return Json.readObject(body).requiredInteger("jobId");
    }

    private String ok() {
        return generation == Generation.W2 ? "{\"code\":200}" : "{\"code\":200,\"msg\":\"Success\"}";
    }

    private static String fail(String reason) {
        return "{\"code\":500,\"msg\":\"%s\"}".formatted(reason);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
