package io.orth.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.Json;
import io.orth.protocol.StateTransition;
import io.orth.protocol.WebhookSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Takes what a webhook posts, as long as it is signed; can be made to hang or to fail. */
final class Receiver implements AutoCloseable {

    static final String SECRET = "a secret of the receiver's";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Semaphore open = new Semaphore(Integer.MAX_VALUE / 2);
    private final List<StateTransition> received = new ArrayList<>();
    private volatile boolean failing;

    Receiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    /** The setting that makes an admin post here. */
    List<String> settings() {
        return List.of(
                "orth.transitions.webhook.e2e.url=http://127.0.0.1:%d/"
                        .formatted(server.getAddress().getPort()),
                "orth.transitions.webhook.e2e.secret=" + SECRET,
                "orth.transitions.backoff.max-delay=2s");
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            open.acquire();
            open.release();
            if (failing
                    || !WebhookSignature.signs(
                            exchange.getRequestHeaders().getFirst(WebhookSignature.HEADER), SECRET, body)) {
                exchange.sendResponseHeaders(failing ? 503 : 401, -1);
                return;
            }
            List<StateTransition> transitions = Json.readObject(body).objects("transitions").stream()
                    .map(StateTransition::from)
                    .toList();
            synchronized (received) {
                received.addAll(transitions);
            }
            exchange.sendResponseHeaders(204, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** In the order in which they came. */
    List<StateTransition> received() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    /** From now on no request gets a response. */
    void hang() {
        open.acquireUninterruptibly(Integer.MAX_VALUE / 2);
    }

    void goOn() {
        open.release(Integer.MAX_VALUE / 2);
    }

    void fail(boolean fails) {
        failing = fails;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
