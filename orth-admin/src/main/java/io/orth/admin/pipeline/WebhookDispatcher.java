package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.WebhookSignature;
import io.orth.runtime.BoundedBody;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.Threads;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Sends outbox entries to webhooks: leases a few, posts each, and records the delivery together with the response. A node whose lease has
 * expired meanwhile records nothing. Delivery is therefore at least once; the entry's id, sent as {@code Idempotency-Key}, and the task's
 * attempt identify repetitions.
 *
 * <p>Each address has its own loop, so that a slow one does not delay the others.
 */
@Component
final class WebhookDispatcher {

    private static final int BATCH = PipelineProperties.WEBHOOK_BATCH;
    private static final int READ_AT_MOST = 4 * 1024 * 1024;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int HTTP_THREADS = 2;
    private static final int HTTP_QUEUE = 100;

    private final OutboxRepository outbox;
    private final OutboxDispatcher failures;
    private final ForeignTasks tasks;
    private final Transactions transactions;
    private final PipelineMetrics metrics;
    private final PipelineProperties properties;
    private final PipelineSignals signals;
    private final String owner;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(Threads.pool("outbox-http", HTTP_THREADS, HTTP_QUEUE))
            .build();
    private final Ticker ticker = Ticker.system();

    WebhookDispatcher(
            PipelineTables tables,
            OutboxDispatcher failures,
            ForeignTasks tasks,
            Transactions transactions,
            PipelineMetrics metrics,
            PipelineProperties properties,
            PipelineSignals signals,
            Node node) {
        this.outbox = tables.outbox;
        this.failures = failures;
        this.tasks = tasks;
        this.transactions = transactions;
        this.metrics = metrics;
        this.properties = properties;
        this.signals = signals;
        this.owner = node.id();
    }

    /** @param name the name of the webhook; null for entries whose webhook is no longer configured */
    Pass run(String name) throws InterruptedException {
        List<OutboxEntry> leased = transactions.call(() -> {
            List<OutboxEntry> due = name == null
                    ? outbox.lockForWebhooks(properties.webhooks().keySet(), false, BATCH)
                    : outbox.lockForWebhooks(List.of(name), true, BATCH);
            if (!due.isEmpty()) {
                outbox.lease(due, owner, properties.outbox().lease());
            }
            return due;
        });
        Map<Long, byte[]> bodies = leased.isEmpty() ? Map.of() : tasks.bodies(leased);
        for (OutboxEntry entry : leased) {
            deliver(entry, bodies.get(entry.id()));
        }
        return leased.isEmpty() ? Pass.DRAINED : Pass.MORE;
    }

    /** A failed delivery does not affect the next entry. */
    private void deliver(OutboxEntry entry, byte[] body) throws InterruptedException {
        try {
            if (body == null) {
                transactions.run(() -> settle(entry));
                return;
            }
            long begun = ticker.nanos();
            byte[] answer = post(entry, body);
            FaultPoints.reach(FaultPoints.OUTBOX_AFTER_SEND);
            long millis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - begun);
            if (transactions.call(() -> tasks.answered(entry, answer, millis, () -> settle(entry)))) {
                signals.reconcile(entry.rootId());
            }
        } catch (IOException | RuntimeException e) {
            failures.fail(entry, owner, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns whether this node still held the lease. Otherwise the node that holds it now sends the entry again and records the response.
     */
    private boolean settle(OutboxEntry entry) {
        Optional<Double> seconds = outbox.settle(entry, owner);
        Transactions.afterCommit(() -> seconds.ifPresent(metrics::sent));
        return seconds.isPresent();
    }

    private byte[] post(OutboxEntry entry, byte[] body) throws IOException, InterruptedException {
        PipelineProperties.Webhook webhook = properties.webhooks().get(entry.destination());
        if (webhook == null) {
            throw new IOException("orth.pipeline.webhooks has no " + entry.destination());
        }
        HttpRequest request = HttpRequest.newBuilder(webhook.url())
                .timeout(webhook.timeout())
                .header("Content-Type", "application/json; charset=utf-8")
                .header("Idempotency-Key", Long.toString(entry.id()))
                .header("traceparent", entry.traceparent())
                .header(WebhookSignature.HEADER, WebhookSignature.of(webhook.secret(), body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<byte[]> answer = BoundedBody.exchange(
                http, request, READ_AT_MOST, webhook.timeout().multipliedBy(2));
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("it answered %d".formatted(answer.statusCode()));
        }
        return answer.body();
    }
}
