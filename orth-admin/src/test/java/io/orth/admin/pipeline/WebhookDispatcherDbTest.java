package io.orth.admin.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Node;
import io.orth.admin.queue.RetryPolicy;
import io.orth.protocol.WebhookSignature;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks that are sent to somebody outside: claimed, sent, settled. */
@Tag("must-pipelines")
class WebhookDispatcherDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<String> received = new CopyOnWriteArrayList<>();
    private volatile int answer = 200;
    private HttpServer server;
    private AdminFixture admin;
    private PipelineFixture given;

    /** Called while a request is answered. */
    private volatile Runnable meanwhile = () -> {};

    @BeforeEach
    void setUp() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String signature = exchange.getRequestHeaders().getFirst(WebhookSignature.HEADER);
            assertThat(signature)
                    .isEqualTo(WebhookSignature.of("a secret of ours", body.getBytes(StandardCharsets.UTF_8)));
            received.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            meanwhile.run();
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
        admin = AdminFixture.onEmptied(db);
        URI url =
                URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
        given = new PipelineFixture(
                admin,
                PipelineFixture.properties(Map.of(
                        "warehouse", new PipelineProperties.Webhook(url, "a secret of ours", Duration.ofSeconds(5)))));
        given.define("abroad", new Stage("all", "h", null, "warehouse", 3, RetryPolicy.DEFAULT, null, Tolerance.ALL));
        given.submit("abroad", "a", "b");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private WebhookDispatcher dispatcher(String node) {
        return given.parts.webhooks(HttpClient.newHttpClient(), new Node(node, "host", 1, "test"));
    }

    private List<OutboxEntry> waiting() {
        return given.outbox.list(false, 0, 10);
    }

    @Test
    void eachIsSentOnceAndSettled() throws InterruptedException {
        WebhookDispatcher dispatcher = dispatcher("one");

        dispatcher.run();
        dispatcher.run();

        assertThat(received).hasSize(2).doesNotHaveDuplicates();
        assertThat(waiting()).isEmpty();
    }

    @Test
    void whatIsRefusedBacksOffAndIsParked() throws InterruptedException {
        answer = 500;
        WebhookDispatcher dispatcher = dispatcher("one");
        for (int i = 0; i < 3; i++) {
            admin.jdbc.sql("update orth_outbox set next_attempt_at = now()").update();
            dispatcher.run();
        }

        assertThat(given.outbox.list(true, 0, 10))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.lastError()).isEqualTo("it answered 500"));
        answer = 200;
        given.outbox.redrive(null);
        dispatcher.run();
        assertThat(waiting()).isEmpty();
        assertThat(given.outbox.list(true, 0, 10)).isEmpty();
    }

    @Test
    void whoWasHeldUpForLongerThanItsLeaseSettlesNothing() throws InterruptedException {
        meanwhile = () -> admin.jdbc.sql("""
                        update orth_outbox
                           set lease_owner = 'two', attempts = attempts + 1, lease_until = now() + interval '1 minute'
                         where lease_owner = 'one'
                        """).update();

        dispatcher("one").run();

        assertThat(waiting()).hasSize(2);
    }

    @Test
    void whatAnotherHasIsLeftToIt() throws InterruptedException {
        admin.jdbc
                .sql("update orth_outbox set lease_owner = 'two', lease_until = now() + interval '1 minute'")
                .update();

        dispatcher("one").run();

        assertThat(received).isEmpty();
    }
}
