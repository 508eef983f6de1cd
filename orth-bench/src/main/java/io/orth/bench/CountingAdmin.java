package io.orth.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.Reply;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkerMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** The admin's side of the wire, counting: who registered, how it does, and how often each result came. */
final class CountingAdmin implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    // Guarded by this.
    private Registration registration;
    private int mostRunning;
    private long mostHeapMegabytes;
    private long mostResidentMegabytes;
    private int failures;
    private final Map<Long, Integer> arrivals = new HashMap<>();

    CountingAdmin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:%d".formatted(server.getAddress().getPort());
    }

    synchronized Registration registration() {
        return registration;
    }

    synchronized int mostRunning() {
        return mostRunning;
    }

    synchronized long mostHeapMegabytes() {
        return mostHeapMegabytes;
    }

    synchronized long mostResidentMegabytes() {
        return mostResidentMegabytes;
    }

    /** How many runs have reported, however often. */
    synchronized int reported() {
        return arrivals.size();
    }

    /** How many results came once more than they should. */
    synchronized int repeated() {
        return arrivals.values().stream().mapToInt(times -> times - 1).sum();
    }

    /** How many results were no success. */
    synchronized int failures() {
        return failures;
    }

    /** Waits for something that a request changes. */
    synchronized void await(String what, Duration patience, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException("no %s within %s".formatted(what, patience));
            }
            wait(left);
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            byte[] answer = Json.write(answer(exchange.getRequestURI().getPath(), body));
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private synchronized WireMessage answer(String path, byte[] body) {
        notifyAll();
        switch (path) {
            case AdminPaths.REGISTRY -> {
                registration = Registration.from(Json.readObject(body));
                take(registration.instance().metrics());
                return RegistrationReply.ok(List.of());
            }
            case AdminPaths.CALLBACK ->
                Json.readArray(body).stream().map(CallbackItem::from).forEach(this::take);
            default -> {
                // Leaving needs no more than an answer.
            }
        }
        return Reply.ok();
    }

    private void take(WorkerMetrics metrics) {
        mostRunning = Math.max(mostRunning, metrics.running());
        mostHeapMegabytes = Math.max(mostHeapMegabytes, metrics.ram().heapUsed());
        mostResidentMegabytes = Math.max(mostResidentMegabytes, metrics.ram().rss());
    }

    private void take(CallbackItem result) {
        arrivals.merge(result.logId(), 1, Integer::sum);
        if (result.handleCode() != Codes.SUCCESS) {
            failures++;
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
