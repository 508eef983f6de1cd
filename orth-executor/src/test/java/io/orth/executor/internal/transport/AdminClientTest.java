package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("must-executor")
@Timeout(60)
class AdminClientTest {

    private volatile byte[] answer = {};
    private HttpServer server;
    private AdminClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer);
            } catch (IOException e) {
                // The client closes the connection once it stops reading.
            }
        });
        server.start();
        URI address =
                URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
        client = new AdminClient(List.of(address), "token", Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void treatsTooLongReplyAsRejection() throws InterruptedException {
        answer = new byte[2 * 1024 * 1024];

        assertThat(client.post("/anything", new byte[0]))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).contains("longer than 1048576 bytes"));
    }

    @Test
    void treatsUnreadableReplyAsNone() throws InterruptedException {
        answer = new byte[] {'?'};

        assertThat(client.post("/anything", new byte[0])).isInstanceOf(Outcome.Unreachable.class);
    }
}
