package io.orth.sample.hydrate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A local server that speaks the chat API: succeeds, unless configured otherwise for the next requests. */
final class FakeChat implements AutoCloseable {

    /** How to answer one request. */
    record Answer(int status, Map<String, String> headers, String body, boolean never) {

        static Answer status(int status) {
            return new Answer(status, Map.of(), "{\"error\":{\"message\":\"no\"}}", false);
        }

        static Answer tooMany(String retryAfter) {
            return new Answer(429, Map.of("Retry-After", retryAfter), "{}", false);
        }

        static Answer body(String body) {
            return new Answer(200, Map.of(), body, false);
        }

        static Answer silence() {
            return new Answer(200, Map.of(), "", true);
        }

        static Answer text(String text) {
            return body(new String(
                    Json.write(Map.of("choices", List.of(Map.of("message", Map.of("content", text))))),
                    StandardCharsets.UTF_8));
        }
    }

    final Queue<Answer> next = new ConcurrentLinkedQueue<>();
    final Queue<String> requests = new ConcurrentLinkedQueue<>();
    final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
    final Queue<String> traces = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    FakeChat() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/v1/chat/completions", this::serve);
        server.start();
    }

    URI address() {
        return URI.create(
                "http://127.0.0.1:%d/v1/".formatted(server.getAddress().getPort()));
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            traces.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
            Answer answer = next.isEmpty() ? Answer.text("a text") : next.remove();
            if (answer.never()) {
                closed.await();
            }
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
