package io.orth.admin.pipeline;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.TextCut;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Lane;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.PushReply.Pushed;
import io.orth.runtime.Duty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sends outbox entries to queues of this database. One transaction pushes the messages and marks the entries as sent, so that no entry is
 * lost or sent twice. Runs on every node; each node skips entries that another node has locked.
 *
 * <p>{@link Splitter} isolates an entry that makes its batch fail. The entry is retried with growing delays and finally parked, which fails
 * its task. The other entries are sent.
 */
@Component
final class OutboxDispatcher implements Duty {

    private static final Logger lines = LoggerFactory.getLogger(OutboxDispatcher.class);

    private static final int LONGEST_ERROR = 1_000;

    private final PipelineTables tables;
    private final OutboxRepository outbox;
    private final ForeignTasks tasks;
    private final Queues queues;
    private final Transactions transactions;
    private final PipelineMetrics metrics;
    private final SystemLog log;
    private final PipelineProperties properties;
    private final PipelineSignals signals;

    OutboxDispatcher(
            PipelineTables tables,
            ForeignTasks tasks,
            Queues queues,
            Transactions transactions,
            PipelineMetrics metrics,
            SystemLog log,
            PipelineProperties properties,
            PipelineSignals signals) {
        this.tables = tables;
        this.outbox = tables.outbox;
        this.tasks = tasks;
        this.queues = queues;
        this.transactions = transactions;
        this.metrics = metrics;
        this.log = log;
        this.properties = properties;
        this.signals = signals;
    }

    @Override
    public Pass run() {
        List<Long> tried = new ArrayList<>();
        int batch = properties.outbox().batchSize();
        try {
            send(() -> outbox.lockForQueues(batch), tried);
        } catch (RuntimeException e) {
            Splitter.split(
                    List.copyOf(tried), e, part -> send(() -> outbox.lock(part), new ArrayList<>()), this::blame);
        }
        // Each stage has a share of the batch, so a batch may be smaller than the number of due entries.
        return tried.isEmpty() ? Pass.DRAINED : Pass.MORE;
    }

    /** @param batch locks the entries to send; called inside the transaction */
    private void send(Supplier<List<OutboxEntry>> batch, List<Long> tried) {
        List<Double> seconds = transactions.call(() -> {
            List<OutboxEntry> entries = batch.get();
            tried.clear();
            entries.forEach(entry -> tried.add(entry.id()));
            return entries.isEmpty() ? List.<Double>of() : push(entries);
        });
        seconds.forEach(metrics::sent);
    }

    private List<Double> push(List<OutboxEntry> entries) {
        Map<String, List<OutboxEntry>> byQueue = entries.stream()
                .collect(Collectors.groupingBy(OutboxEntry::destination, TreeMap::new, Collectors.toList()));
        Map<Long, Long> messages = new HashMap<>();
        Map<Long, List<Stage>> stages = tables.runs.stagesOf(
                entries.stream().map(OutboxEntry::rootId).distinct().toList());
        byQueue.forEach((queue, some) -> {
            List<Pushed> pushed = queues.push(
                    queue,
                    some.stream()
                            .map(entry -> message(entry, stages.getOrDefault(entry.rootId(), List.of())))
                            .toList());
            for (int i = 0; i < pushed.size(); i++) {
                messages.put(some.get(i).id(), pushed.get(i).id());
            }
        });
        List<Double> seconds = outbox.sent(messages);
        FaultPoints.reach(FaultPoints.OUTBOX_BEFORE_COMMIT);
        return seconds;
    }

    private void blame(long id, RuntimeException failure) {
        String error = TextCut.to(String.valueOf(failure.getMessage()), LONGEST_ERROR);
        transactions.call(() -> outbox.lock(List.of(id))).forEach(entry -> fail(entry, null, error));
    }

    /** @param owner the node that holds the lease; null if entries of this kind are not leased */
    void fail(OutboxEntry entry, String owner, String error) {
        int attempt = entry.attempts() + 1;
        RetryDecision decision = RetryDecision.next(properties.outbox().retry(), attempt, null, false);
        boolean park = !decision.isRetry();
        BooleanSupplier record = () -> outbox.fail(entry, owner, error, decision.delay(), park);
        boolean failed = transactions.call(() -> park ? tasks.notSent(entry, error, record) : record.getAsBoolean());
        if (!failed) {
            return;
        }
        metrics.notSent(park);
        AboutRun.in(park ? lines.atError() : lines.atWarn(), entry.rootId(), entry.traceId())
                .addKeyValue("taskId", entry.taskId())
                .addKeyValue("entry", entry.id())
                .addKeyValue("attempt", attempt)
                .addKeyValue("error", error)
                .log(park ? "gave up sending a task" : "could not send a task; it is tried again");
        if (park) {
            log.error("outbox entry %d for task %d of %s is parked after %d attempts: %s"
                    .formatted(
                            entry.id(),
                            entry.taskId(),
                            AboutRun.text(entry.rootId(), entry.traceId()),
                            attempt,
                            error));
            signals.reconcile(entry.rootId());
        }
    }

    /** The attempts of the message are those of the task: it gets the remaining attempts and the stage's backoff. */
    private static MessageSpec message(OutboxEntry entry, List<Stage> stages) {
        JsonObject payload = Json.readObject(entry.payload().getBytes(StandardCharsets.UTF_8));
        Map<String, String> metadata = new HashMap<>();
        metadata.put("orth.task", payload.requiredText("taskId"));
        metadata.put(CarriedTasks.ATTEMPT, payload.requiredText("attempt"));
        metadata.put("orth.root", payload.requiredText("rootJobId"));
        metadata.put("orth.pipeline", payload.requiredText("pipeline"));
        metadata.put("orth.stage", payload.requiredText("stage"));
        metadata.put("orth.handler", payload.requiredText("handler"));
        metadata.put("traceparent", entry.traceparent());
        Backoff backoff = stages.stream()
                .filter(stage -> stage.name().equals(payload.requiredText("stage")))
                .findFirst()
                .map(Stage::backoff)
                .orElse(null);
        return new MessageSpec(
                entry.payload(),
                Lane.DEFAULT,
                null,
                null,
                null,
                null,
                null,
                payload.integer("attemptsLeft", 1),
                backoff,
                metadata,
                entry.traceId(),
                entry.taskId());
    }
}
