package io.orth.admin.pipeline;

import io.orth.admin.kernel.BoundedBody;
import io.orth.admin.kernel.Duty;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.WebhookSignature;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Keeps what the outbox promises to those outside: takes a few for itself for a while, tells them of each, and only then records
 * that it has. Who was held up for longer than it had them for records nothing. At least once, then: the entry's id, which goes along,
 * tells what came twice, and so does the attempt of the task.
 */
final class WebhookDispatcher implements Duty {

    private static final String WEBHOOK = "WEBHOOK";
    private static final int BATCH = PipelineProperties.WEBHOOK_BATCH;
    private static final int READ_AT_MOST = 65_536;

    private final OutboxRepository outbox;
    private final OutboxDispatcher failures;
    private final Transactions transactions;
    private final PipelineMetrics metrics;
    private final PipelineProperties properties;
    private final HttpClient http;
    private final String owner;

    WebhookDispatcher(
            OutboxRepository outbox,
            OutboxDispatcher failures,
            Transactions transactions,
            PipelineMetrics metrics,
            PipelineProperties properties,
            HttpClient http,
            Node node) {
        this.outbox = outbox;
        this.failures = failures;
        this.transactions = transactions;
        this.metrics = metrics;
        this.properties = properties;
        this.http = http;
        this.owner = node.id();
    }

    @Override
    public Pass run() throws InterruptedException {
        List<OutboxEntry> leased = transactions.call(() -> {
            List<OutboxEntry> due = outbox.lockDue(WEBHOOK, BATCH);
            if (!due.isEmpty()) {
                outbox.lease(due, owner, properties.outbox().lease());
            }
            return due;
        });
        for (OutboxEntry entry : leased) {
            send(entry);
        }
        return Pass.after(leased.size(), BATCH);
    }

    /** What fails for one says nothing about the next. */
    private void send(OutboxEntry entry) throws InterruptedException {
        try {
            post(entry);
        } catch (IOException e) {
            failures.fail(entry, owner, String.valueOf(e.getMessage()));
            return;
        }
        FaultPoints.reach(FaultPoints.OUTBOX_AFTER_SEND);
        transactions.call(() -> outbox.settle(List.of(entry), owner)).forEach(metrics::sent);
    }

    private void post(OutboxEntry entry) throws IOException, InterruptedException {
        PipelineProperties.Webhook webhook = properties.webhooks().get(entry.destination());
        if (webhook == null) {
            throw new IOException("orth.pipeline.webhooks has no " + entry.destination());
        }
        byte[] body = entry.payload().getBytes(StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(webhook.url())
                .timeout(webhook.timeout())
                .header("Content-Type", "application/json; charset=utf-8")
                .header("Idempotency-Key", Long.toString(entry.id()))
                .header("traceparent", TraceContext.parent(entry))
                .header(WebhookSignature.HEADER, WebhookSignature.of(webhook.secret(), body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        int status = BoundedBody.exchange(
                        http, request, READ_AT_MOST, webhook.timeout().multipliedBy(2))
                .statusCode();
        if (status / 100 != 2) {
            throw new IOException("it answered %d".formatted(status));
        }
    }
}
