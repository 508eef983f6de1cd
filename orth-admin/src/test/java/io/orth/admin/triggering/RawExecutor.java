package io.orth.admin.triggering;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that responds to every request with the same bytes, on its own loopback port. */
final class RawExecutor implements AutoCloseable {

    private final HttpServer server;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Runnable beforeAnswer = () -> {};

    RawExecutor(int status, String answer) {
        this(status, answer.getBytes(StandardCharsets.UTF_8), null);
    }

    RawExecutor(int status, byte[] answer, String location) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                calls.add(exchange.getRequestURI().getPath());
                exchange.getRequestBody().readAllBytes();
                beforeAnswer.run();
                if (location != null) {
                    exchange.getResponseHeaders().set("Location", location);
                }
                exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:%d".formatted(server.getAddress().getPort());
    }

    /** Requested paths, in order. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    void beforeAnswer(Runnable work) {
        beforeAnswer = work;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
