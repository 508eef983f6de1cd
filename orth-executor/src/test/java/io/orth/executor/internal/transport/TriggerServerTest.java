package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.ExecutorClient;
import io.orth.protocol.Codes;
import io.orth.protocol.Reply;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server by itself: slow clients, too many requests, and its threads. */
@Tag("must-executor")
@Timeout(60)
class TriggerServerTest {

    @Test
    void aClientThatSendsTooSlowlyIsDisconnected() throws Exception {
        TriggerServer server = new TriggerServer(
                FakeAdmin.TOKEN,
                new HomeInstallation(),
                new Routes(Map.of()),
                TriggerServer.pool(1, 1),
                new RequestCollector.Limits(1_000, 2_000, 200, 200, 10_000));
        int port = server.start("127.0.0.1", 0).getPort();
        try (Socket slowHead = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket slowBody = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), port)) {
            slowHead.getOutputStream().write("POST /ru".getBytes(StandardCharsets.US_ASCII));
            slowBody.getOutputStream()
                    .write("POST /run HTTP/1.1\r\nContent-Length: 9\r\n\r\nab".getBytes(StandardCharsets.US_ASCII));

            assertThat(slowHead.getInputStream().read()).isEqualTo(-1);
            assertThat(slowBody.getInputStream().read()).isEqualTo(-1);
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        } finally {
            server.stop();
        }
    }

    @Test
    void fullPoolRejectsRequestsButAnswersHeartbeats() throws Exception {
        ThreadPoolExecutor pool = TriggerServer.pool(1, 1);
        CountDownLatch serving = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TriggerServer server = new TriggerServer(
                FakeAdmin.TOKEN,
                new HomeInstallation(),
                new Routes(Map.of(
                        "/slow",
                        new Routes.Route(
                                body -> {
                                    serving.countDown();
                                    release.await();
                                    return Reply.ok();
                                },
                                false),
                        "/beat",
                        new Routes.Route(body -> Reply.ok(), true))),
                pool,
                new RequestCollector.Limits(1_000, 2_000, 10_000, 10_000, 10_000));
        ExecutorClient busy = new ExecutorClient(
                URI.create("http://127.0.0.1:" + server.start("127.0.0.1", 0).getPort()));
        Thread first = new Thread(() -> slow(busy));
        Thread second = new Thread(() -> slow(busy));
        first.start();
        serving.await();
        second.start();
        await().until(() -> pool.getQueue().size() == 1);

        Reply refused = Reply.from(busy.postRaw("/slow", new byte[0]));

        assertThat(refused.code()).isEqualTo(Codes.FAIL);
        assertThat(refused.msg()).isEqualTo("the executor is busy with other requests; try again");
        assertThat(busy.postRaw("/beat", new byte[0]).integer("code", 0)).isEqualTo(200);
        release.countDown();
        first.join();
        second.join();
        server.stop();
    }

    /** As many request threads as are needed, none when there is nothing to do, and no more than 200. */
    @Test
    void requestThreadsEndWhenIdle() {
        ThreadPoolExecutor pool = TriggerServer.pool(200, 1_000);
        CountDownLatch release = new CountDownLatch(1);
        assertThat(pool.getPoolSize()).isZero();

        for (int request = 0; request < 250; request++) {
            pool.execute(() -> awaitQuietly(release));
        }

        assertThat(pool.getPoolSize()).isEqualTo(200);
        release.countDown();
        pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
        await().until(() -> pool.getPoolSize() == 0);
        pool.shutdown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void slow(ExecutorClient client) {
        try {
            client.postRaw("/slow", new byte[0]);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
