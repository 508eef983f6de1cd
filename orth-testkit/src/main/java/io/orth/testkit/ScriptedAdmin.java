package io.orth.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An admin's API for those who call it: answers as it is told, one call after the other, and remembers what it was asked; the last
 * answer is for all that follow.
 */
public final class ScriptedAdmin implements AutoCloseable {

    /**
     * A call that came.
     *
     * @param type of the body; null where there is none
     */
    public record Call(String method, String path, String type, String body, String key, String authorization) {}

    @FunctionalInterface
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    public final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    public ScriptedAdmin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public ScriptedAdmin then(Answer answer) {
        answers.add(answer);
        return this;
    }

    public ScriptedAdmin then(int status, String body) {
        return then(exchange -> send(exchange, status, body));
    }

    /** The call arrives, and its answer does not. */
    public ScriptedAdmin thenLoseTheAnswer() {
        return then(HttpExchange::close);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(new Call(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Content-Type"),
                body,
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                exchange.getRequestHeaders().getFirst("Authorization")));
        Answer answer;
        synchronized (answers) {
            answer = answers.size() > 1 ? answers.poll() : answers.peek();
        }
        answer.to(exchange);
    }

    public static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
