package io.orth.admin.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.protocol.Json;
import io.orth.protocol.StateTransition;
import io.orth.protocol.WebhookSignature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSinkTest extends TransitionSinkConformance {

    private static final String SECRET = "sixteen letters!";
    private static final HttpClient HTTP = WebhookSink.client();

    private enum Manner {
        ANSWERS,
        HANGS,
        DRIPS,
        TALKS_FOR_EVER
    }

    private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
    private final List<URI> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Manner manner = Manner.ANSWERS;
    private volatile int status = 200;
    private HttpServer server;
    private WebhookSink sink;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        sink = sink(Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private WebhookSink sink(Duration timeout) {
        URI url = URI.create(
                "http://127.0.0.1:%d/hook?key=1".formatted(server.getAddress().getPort()));
        return new WebhookSink("crm", new RelayProperties.Webhook(url, SECRET, timeout), HTTP);
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        asked.add(exchange.getRequestURI());
        boolean genuine =
                WebhookSignature.signs(exchange.getRequestHeaders().getFirst(WebhookSignature.HEADER), SECRET, body);
        if (genuine && status == 200 && manner == Manner.ANSWERS) {
            bodies.add(body);
        }
        try (exchange) {
            switch (manner) {
                case ANSWERS -> {
                    exchange.getResponseHeaders().add("Location", "/elsewhere");
                    exchange.sendResponseHeaders(genuine ? status : 401, -1);
                }
                case HANGS -> await();
                case DRIPS -> {
                    exchange.sendResponseHeaders(200, 1_000);
                    exchange.getResponseBody().write('.');
                    exchange.getResponseBody().flush();
                    await();
                }
                case TALKS_FOR_EVER -> {
                    exchange.sendResponseHeaders(200, 0);
                    byte[] much = new byte[100_000];
                    while (end.getCount() > 0) {
                        exchange.getResponseBody().write(much);
                    }
                }
            }
        }
    }

    private void await() throws IOException {
        try {
            if (!end.await(30, TimeUnit.SECONDS)) {
                throw new IOException("the test goes on for ever");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    protected TransitionSink sink() {
        return sink;
    }

    @Override
    protected void goAway() {
        status = 503;
    }

    @Override
    protected void comeBack() {
        status = 200;
    }

    @Override
    protected List<StateTransition> received() {
        return bodies.stream()
                .flatMap(body -> Json.readObject(body).objects("transitions").stream())
                .map(StateTransition::from)
                .toList();
    }

    @Test
    void postsSignedBodyWithTermAndIds() throws Exception {
        sink.emit(42, batch(1, 2));

        assertThat(new String(bodies.get(0), UTF_8))
                .startsWith("{\"term\":42,\"transitions\":[{\"id\":\"101.0\",\"entity\":\"RUN\"")
                .contains("{\"id\":\"102.0\",");
        assertThat(asked).containsExactly(URI.create("/hook?key=1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308, 400, 401, 404, 410, 500, 503})
    void failsUnlessSuccessfulAndFollowsNoRedirect(int code) {
        status = code;

        assertThatThrownBy(() -> sink.emit(1, batch(1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage("it answered %d".formatted(code));
        assertThat(asked).hasSize(1);
    }

    @Test
    void timesOutWithoutResponse() {
        manner = Manner.HANGS;

        assertThatThrownBy(() -> sink(Duration.ofMillis(300)).emit(1, batch(1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("timed out");
    }

    @Test
    void timesOutDuringResponseBody() {
        manner = Manner.DRIPS;

        assertThatThrownBy(() -> sink(Duration.ofSeconds(1)).emit(1, batch(1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage("it did not answer in time");
    }

    @Test
    void abortsEndlessResponse() {
        manner = Manner.TALKS_FOR_EVER;

        assertThatThrownBy(() -> sink.emit(1, batch(1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void reportsUnreachableReceiver() {
        server.stop(0);

        assertThatThrownBy(() -> sink.emit(1, batch(1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("it could not be reached: ")
                .hasMessageNotContaining("null");
    }

    @Test
    void receiverWithAnotherSecretRejects() {
        URI url =
                URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
        WebhookSink stranger = new WebhookSink(
                "crm", new RelayProperties.Webhook(url, "another secret!!", Duration.ofSeconds(20)), HTTP);

        assertThatThrownBy(() -> stranger.emit(1, batch(1, 1))).hasMessage("it answered 401");
        assertThat(bodies).isEmpty();
    }
}
