package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.WebhookSignature;
import io.orth.runtime.BoundedBody;
import io.orth.runtime.Duty;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Keeps what the outbox promises to somebody outside: takes a few entries for itself for a while, tells of each, and only then records
 * that it has, together with what the answer says. Who was held up for longer than it had them for records nothing. At least once,
 * then: the entry's id, which goes along, tells what came twice, and so does the attempt of the task.
 *
 * <p>One for each address, so that a slow one keeps no other waiting.
 */
final class WebhookDispatcher implements Duty {

    private static final int BATCH = PipelineProperties.WEBHOOK_BATCH;
    private static final int READ_AT_MOST = 4 * 1024 * 1024;

    /** Somebody else has the entry by now: nothing of this happens. */
    private static final class SupersededException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private SupersededException() {
            super("somebody else has the entry by now", null, false, false);
        }
    }

    private final String name;
    private final OutboxRepository outbox;
    private final OutboxDispatcher failures;
    private final ForeignTasks tasks;
    private final Transactions transactions;
    private final PipelineMetrics metrics;
    private final PipelineProperties properties;
    private final LongConsumer reconcile;
    private final HttpClient http;
    private final String owner;
    private final Ticker ticker = Ticker.system();

    /**
     * @param name of the address; null for the entries whose address is not in the configuration any more
     * @param reconcile something of this run has ended
     */
    WebhookDispatcher(
            String name,
            OutboxRepository outbox,
            OutboxDispatcher failures,
            ForeignTasks tasks,
            Transactions transactions,
            PipelineMetrics metrics,
            PipelineProperties properties,
            LongConsumer reconcile,
            HttpClient http,
            Node node) {
        this.name = name;
        this.outbox = outbox;
        this.failures = failures;
        this.tasks = tasks;
        this.transactions = transactions;
        this.metrics = metrics;
        this.properties = properties;
        this.reconcile = reconcile;
        this.http = http;
        this.owner = node.id();
    }

    @Override
    public Pass run() throws InterruptedException {
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

    /** What fails for one says nothing about the next. */
    private void deliver(OutboxEntry entry, byte[] body) throws InterruptedException {
        try {
            if (body == null) {
                settle(entry, () -> {});
            } else {
                long begun = ticker.nanos();
                byte[] answer = post(entry, body);
                FaultPoints.reach(FaultPoints.OUTBOX_AFTER_SEND);
                long millis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - begun);
                settle(entry, () -> tasks.answered(entry, answer, millis));
                reconcile.accept(entry.rootId());
            }
        } catch (SupersededException e) {
            // Who has it by now tells of it again, and is heard.
        } catch (IOException | RuntimeException e) {
            failures.fail(entry, owner, String.valueOf(e.getMessage()));
        }
    }

    /** The task before its entry, as everywhere. */
    private void settle(OutboxEntry entry, Runnable task) {
        transactions
                .call(() -> {
                    task.run();
                    List<Double> settled = outbox.settle(List.of(entry), owner);
                    if (settled.isEmpty()) {
                        throw new SupersededException();
                    }
                    return settled;
                })
                .forEach(metrics::sent);
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
                .header("traceparent", TraceContext.parent(entry))
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
