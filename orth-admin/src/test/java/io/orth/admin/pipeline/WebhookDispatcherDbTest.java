package io.orth.admin.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.TestFaults;
import io.orth.protocol.WebhookSignature;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks sent to webhooks: claimed, sent, settled. */
@Tag("must-pipelines")
class WebhookDispatcherDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private volatile int answer = 200;
    private volatile String answerBody = "";
    private HttpServer server;
    private AdminFixture admin;
    private PipelineFixture given;
    private long run;

    /** Called before the response is sent. */
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
            bodies.add(body);
            meanwhile.run();
            byte[] said = answerBody.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer, said.length == 0 ? -1 : said.length);
            exchange.getResponseBody().write(said);
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
        given.define("abroad", new Stage("all", "h", null, "warehouse", 3, Backoff.DEFAULT, null, Tolerance.ALL));
        run = given.submit("abroad", "a", "b");
    }

    @AfterEach
    void stop() {
        TestFaults.clear();
        server.stop(0);
    }

    private WebhookLoop dispatcher(String node) {
        return dispatcher(node, "warehouse");
    }

    private WebhookLoop dispatcher(String node, String webhook) {
        WebhookDispatcher dispatcher = given.webhooks(node);
        return () -> dispatcher.run(webhook);
    }

    /** The loop of one webhook on one node. */
    @FunctionalInterface
    private interface WebhookLoop {
        Pass run() throws InterruptedException;
    }

    private List<OutboxEntry> waiting() {
        return given.outbox.list(false, 0, 10);
    }

    @Test
    void sendsAndSettlesEachTaskOnce() throws InterruptedException {
        WebhookLoop dispatcher = dispatcher("one");

        dispatcher.run();
        dispatcher.run();

        assertThat(received).hasSize(2).doesNotHaveDuplicates();
        assertThat(waiting()).isEmpty();
    }

    @Test
    void responseCompletesTaskAndContinuesRun() throws InterruptedException {
        answerBody = "{\"stored\": 3}";
        dispatcher("one").run();
        given.reconcile();

        assertThat(bodies.get(0))
                .contains("\"targetType\":\"course\"", "\"meta\":{\"language\":\"en\"}", "\"attempt\":1");
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a COMPLETED", "b COMPLETED");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(admin.jdbc
                        .sql("select result ->> 'stored' from orth_pipeline_task")
                        .query(String.class)
                        .list())
                .containsExactly("3", "3");
        long task = admin.jdbc
                .sql("select min(id) from orth_pipeline_task")
                .query(Long.class)
                .single();
        assertThat(given.journalOf(EntityKind.PIPELINE_TASK, task))
                .containsExactly(
                        "null->PENDING CREATED",
                        "PENDING->CLAIMED CLAIMED",
                        "CLAIMED->RUNNING BEGUN",
                        "RUNNING->COMPLETED COMPLETED");
    }

    @Test
    void responseProposesChildren() throws InterruptedException {
        given.define(
                "abroad",
                new Stage("all", "h", null, "warehouse", 3, Backoff.DEFAULT, null, Tolerance.ALL),
                PipelineFixture.stage("parts"));
        run = given.submit("abroad", "c");
        answerBody = "{\"children\": [{\"targetType\": \"part\", \"targetId\": \"c-1\"}]}";

        dispatcher("one").run();
        given.reconcile();

        assertThat(given.tasksOf(run, 1)).containsExactly("c-1 PENDING");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "[1, 2]", "\"accepted\"", "OK", "<html>", " "})
    void anyOtherResponseBodyCompletesTask(String said) throws InterruptedException {
        answerBody = said;

        dispatcher("one").run();

        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a COMPLETED", "b COMPLETED");
    }

    @Test
    void invalidChildrenFailTaskWithoutRetry() throws InterruptedException {
        answerBody = "{\"children\": [{\"targetType\": \"part\"}]}";

        dispatcher("one").run();
        given.reconcile();

        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a FAILED", "b FAILED");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.FAILED);
    }

    @Test
    void doesNotSendCancelledTask() throws InterruptedException {
        admin.jdbc
                .sql("update orth_pipeline_task set status = 'CANCELLED', finished_at = now() where target_id = 'a'")
                .update();

        dispatcher("one").run();

        assertThat(bodies).singleElement().asString().contains("\"targetId\":\"b\"");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void completesTaskPausedWhileSending() throws InterruptedException {
        meanwhile = () -> given.pipelines.pause("abroad");

        dispatcher("one").run();

        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a COMPLETED", "b COMPLETED");
    }

    @Test
    void resendsAfterCrashBeforeRecordingResponse() throws InterruptedException {
        TestFaults.dieOnceAt(FaultPoints.OUTBOX_AFTER_SEND);
        assertThatThrownBy(() -> dispatcher("one").run()).isInstanceOf(TestFaults.Died.class);
        admin.jdbc.sql("update orth_outbox set lease_until = now()").update();

        dispatcher("two").run();

        assertThat(received).hasSize(3);
        assertThat(Set.copyOf(received)).hasSize(2);
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a COMPLETED", "b COMPLETED");
    }

    @Test
    void parksEntryWithoutConfiguredWebhook() throws InterruptedException {
        admin.jdbc
                .sql(
                        "update orth_outbox set destination = 'gone' where job_id = (select min(id) from orth_pipeline_task)")
                .update();
        dispatcher("one").run();
        for (int i = 0; i < 3; i++) {
            admin.jdbc.sql("update orth_outbox set next_attempt_at = now()").update();
            dispatcher("one", null).run();
        }

        assertThat(received).hasSize(1);
        assertThat(given.outbox.list(true, 0, 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.lastError()).isEqualTo("orth.pipeline.webhooks has no gone"));
    }

    @Test
    void parksRejectedEntryAfterBackoff() throws InterruptedException {
        answer = 500;
        WebhookLoop dispatcher = dispatcher("one");
        for (int i = 0; i < 3; i++) {
            admin.jdbc.sql("update orth_outbox set next_attempt_at = now()").update();
            dispatcher.run();
        }

        assertThat(given.outbox.list(true, 0, 10))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.lastError()).isEqualTo("it answered 500"));
        given.reconcile();
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a FAILED", "b FAILED");
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.FAILED);
        answer = 200;
        assertThat(given.outbox.redrive(null, "ann")).isEqualTo(2);
        given.reconcile();
        dispatcher.run();
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a COMPLETED", "b COMPLETED");
        assertThat(waiting()).isEmpty();
        assertThat(given.outbox.list(true, 0, 10)).isEmpty();
    }

    @Test
    void settlesNothingAfterLeaseExpired() throws InterruptedException {
        meanwhile = () -> admin.jdbc.sql("""
                        update orth_outbox
                           set lease_owner = 'two', attempts = attempts + 1, lease_until = now() + interval '1 minute'
                         where lease_owner = 'one'
                        """).update();

        dispatcher("one").run();

        assertThat(waiting()).hasSize(2);
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a PENDING", "b PENDING");
    }

    @Test
    void failsNoTaskAfterLeaseExpired() throws InterruptedException {
        answer = 500;
        admin.jdbc.sql("update orth_outbox set attempts = 2").update();
        meanwhile = () -> admin.jdbc
                .sql("update orth_outbox set lease_owner = 'two', attempts = attempts + 1")
                .update();

        dispatcher("one").run();

        assertThat(given.outbox.list(true, 0, 10)).isEmpty();
        assertThat(given.tasksOf(run, 0)).containsExactlyInAnyOrder("a PENDING", "b PENDING");
    }

    @Test
    void leavesEntriesLeasedByAnotherNode() throws InterruptedException {
        admin.jdbc
                .sql("update orth_outbox set lease_owner = 'two', lease_until = now() + interval '1 minute'")
                .update();

        dispatcher("one").run();

        assertThat(received).isEmpty();
    }
}
