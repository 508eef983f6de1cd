package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.testkit.FakeAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two admins, of which the first takes connections and requests and never answers. */
@Tag("must-first")
@Timeout(120)
class SilentAdminTest {

    private static final int POLLERS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Longer than the test may take: a poll that waits for the silent admin to the end fails it. */
    private static final Admins.Limits LONG_POLL = new Admins.Limits(Duration.ofMinutes(10), 1_000);

    private static final byte[] NOTHING = {'[', ']'};

    private final Queue<String> silentlyTaken = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong nanos = new AtomicLong();
    private ServerSocket silent;
    private FakeAdmin good;
    private AdminClient client;
    private volatile boolean answers;

    @BeforeEach
    void start() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
        good = FakeAdmin.start();
        client = new AdminClient(
                List.of(
                        URI.create("http://127.0.0.1:%d/".formatted(silent.getLocalPort())),
                        URI.create(good.address() + "/")),
                FakeAdmin.TOKEN,
                TIMEOUT,
                nanos::get);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        good.close();
        silent.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    @Test
    void pollsOtherAdminAfterFirstTimeout() throws Exception {
        List<Future<Outcome>> polls = IntStream.range(0, POLLERS)
                .mapToObj(i -> threads.submit((Callable<Outcome>) this::poll))
                .toList();
        await().atMost(Duration.ofSeconds(30)).until(() -> posts() == POLLERS);

        nanos.incrementAndGet();
        assertThat(client.post(AdminPaths.CALLBACK, NOTHING)).isInstanceOf(Outcome.Accepted.class);

        for (Future<Outcome> poll : polls) {
            assertThat(poll.get(60, TimeUnit.SECONDS)).isInstanceOf(Outcome.Accepted.class);
        }
        assertThat(posts()).as("the polls, and the one that timed out").isEqualTo(POLLERS + 1);
    }

    @Test
    void probesSilentAdminInBackgroundOnly() throws Exception {
        client.post(AdminPaths.CALLBACK, NOTHING);
        int before = posts();

        await().atMost(Duration.ofSeconds(60)).until(() -> {
            nanos.addAndGet(AdminDirectory.MAX_COOL_DOWN.toNanos());
            assertThat(poll()).isInstanceOf(Outcome.Accepted.class);
            return probes() >= 3;
        });
        assertThat(posts()).isEqualTo(before);

        answers = true;
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            nanos.addAndGet(AdminDirectory.MAX_COOL_DOWN.toNanos());
            return poll() instanceof Outcome.Accepted && posts() > before;
        });
    }

    @Test
    void usesSilentAdminWhenTheOtherIsUnreachable() throws Exception {
        client.post(AdminPaths.CALLBACK, NOTHING);
        good.close();
        assertThat(poll()).isInstanceOf(Outcome.Unreachable.class);
        int before = posts();

        assertThat(poll()).isInstanceOf(Outcome.Unreachable.class);

        assertThat(posts()).isEqualTo(before + 1);
    }

    private Outcome poll() throws InterruptedException {
        return client.post(AdminPaths.CALLBACK, NOTHING, LONG_POLL);
    }

    private int posts() {
        return count("POST");
    }

    private int probes() {
        return count("GET");
    }

    private int count(String method) {
        return (int) silentlyTaken.stream().filter(method::equals).count();
    }

    private void accept() {
        try {
            while (!silent.isClosed()) {
                Socket socket = silent.accept();
                open.add(socket);
                threads.execute(() -> take(socket));
            }
        } catch (IOException e) {
            // Closed, as the test has ended.
        }
    }

    private void take(Socket socket) {
        try (socket) {
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.contains(" HTTP/1.1")) {
                    silentlyTaken.add(line.substring(0, line.indexOf(' ')));
                }
                if (line.isEmpty() && answers) {
                    byte[] body = Json.write(Reply.ok());
                    String head =
                            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n".formatted(body.length);
                    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().write(body);
                    return;
                }
            }
        } catch (IOException e) {
            // The client hung up.
        }
    }
}
