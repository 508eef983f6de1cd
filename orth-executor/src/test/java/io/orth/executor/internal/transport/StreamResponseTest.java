package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.Headers;
import io.orth.protocol.LogRange;
import io.orth.protocol.WireMessage;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams to readers that behave badly. */
@Timeout(30)
class StreamResponseTest {

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean broken;
    private TriggerServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = new TriggerServer(
                FakeAdmin.TOKEN,
                new HomeInstallation(),
                new Routes(Map.of()).withStream("/endless", body -> new Endless()),
                TriggerServer.pool(2, 10),
                new RequestCollector.Limits(1_000, 2_000, 10_000, 10_000, 300));
        port = server.start("127.0.0.1", 0).getPort();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void closesStalledClientAfterLimitedBuffering() throws IOException {
        try (Socket slow = request()) {
            await().untilTrue(closed);

            // The capacity of the socket buffers, and one more.
            assertThat(sent.get()).isLessThan(2_000);
            assertThat(slow.isConnected()).isTrue();
        }
    }

    @Test
    void noticesClientDisconnect() throws IOException {
        Socket leaving = request();
        await().until(() -> sent.get() > 0);

        leaving.close();

        await().untilTrue(closed);
    }

    @Test
    void closesClientThatSendsFurtherRequests() throws IOException {
        try (Socket talking = request()) {
            talking.getOutputStream().write("POST /endless HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            await().untilTrue(closed);
        }
    }

    @Test
    void aStreamThatBreaksClosesItsConnection() throws IOException {
        broken = true;
        try (Socket reader = request()) {
            String answer = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 200 OK").doesNotEndWith("0\r\n\r\n");
            await().untilTrue(closed);
        }
    }

    private Socket request() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write("POST /endless HTTP/1.1\r\n%s: %s\r\nContent-Length: 0\r\n\r\n"
                        .formatted(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private final class Endless implements MessageStream {

        @Override
        public Next next() throws IOException {
            if (broken) {
                throw new IOException("told to break");
            }
            sent.incrementAndGet();
            return new Next(stillThere(), false);
        }

        @Override
        public WireMessage stillThere() {
            return new LogRange(true, 0, 0, 0, "x".repeat(50_000));
        }

        @Override
        public void onMore(Runnable more) {}

        @Override
        public void close() {
            closed.set(true);
        }
    }
}
