package io.orth.admin.pipeline;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueSetup;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Pipeline definitions and their pause switches. */
@Component
public final class Pipelines {

    private static final int MOST_VERSIONS = 100;

    private final PipelineTables tables;
    private final PipelineRepository pipelines;
    private final Queues queues;
    private final Transactions transactions;
    private final SystemLog log;
    private final PipelineProperties properties;
    private final PipelineSignals signals;

    Pipelines(
            PipelineTables tables,
            Queues queues,
            Transactions transactions,
            SystemLog log,
            PipelineProperties properties,
            PipelineSignals signals) {
        this.tables = tables;
        this.pipelines = tables.pipelines;
        this.queues = queues;
        this.transactions = transactions;
        this.log = log;
        this.properties = properties;
        this.signals = signals;
    }

    public List<Pipeline> list() {
        return pipelines.list();
    }

    public Pipeline get(String name) {
        return pipelines.find(name).orElseThrow(() -> OrthException.notFound("pipeline", name));
    }

    public List<PipelineVersion> versions(String name) {
        return pipelines.versions(get(name).name(), MOST_VERSIONS);
    }

    /** Result of storing a definition. */
    public record Put(Pipeline pipeline, boolean created) {}

    /** Stores the definition as a new version; an unchanged definition changes nothing. Runs keep the version they started with. */
    public Put put(PipelineSpec spec, String by) {
        for (int i = 0; i < spec.stages().size(); i++) {
            String webhook = spec.stages().get(i).webhook();
            if (webhook != null && !properties.webhooks().containsKey(webhook)) {
                throw OrthException.invalid(
                        "stages[%d].webhook".formatted(i), "is not one of orth.pipeline.webhooks: " + webhook);
            }
        }
        return transactions.call(() -> {
            boolean created = pipelines.makeRoom(spec.name(), by);
            Pipeline before = pipelines.lock(spec.name()).orElseThrow();
            int version = before.version();
            if (spec.version() != null && spec.version() != version) {
                throw OrthException.of(
                        ErrorCode.PRECONDITION_FAILED,
                        "pipeline %s has version %d by now; load it again".formatted(spec.name(), version));
            }
            if (created || !isSame(before, spec)) {
                pipelines.write(spec, version + 1, by);
            }
            limit(before.stages(), spec.stages());
            return new Put(get(spec.name()), created);
        });
    }

    private static boolean isSame(Pipeline known, PipelineSpec spec) {
        return known.description().equals(spec.description()) && known.stages().equals(spec.stages());
    }

    /** Applies the stages' concurrency limits to their queues. A queue's limit is removed when the definition drops it. */
    private void limit(List<Stage> before, List<Stage> after) {
        Map<String, Integer> limits = new TreeMap<>();
        before.stream().filter(stage -> stage.concurrency() != null).forEach(stage -> limits.put(stage.queue(), null));
        after.stream()
                .filter(stage -> stage.concurrency() != null)
                .forEach(stage -> limits.put(stage.queue(), stage.concurrency()));
        limits.forEach(this::limit);
    }

    private void limit(String name, Integer concurrency) {
        Queue queue = queues.open(name);
        if (!Objects.equals(concurrency, queue.limits().concurrency())) {
            queues.configure(
                    queue.name(),
                    new QueueSetup(
                            queue.groupId(),
                            queue.maxAttempts(),
                            queue.backoff(),
                            new Queue.Limits(queue.limits().rate(), concurrency),
                            null));
        }
    }

    /** Deletes a pipeline that has no unfinished runs. Finished runs remain. */
    public void delete(String name) {
        transactions.run(() -> {
            requireLocked(name);
            if (tables.runs.hasOpen(name)) {
                throw OrthException.of(ErrorCode.CONFLICT, "pipeline %s has runs that are not over".formatted(name));
            }
            pipelines.delete(name);
        });
    }

    /** Pauses the pipeline. After this method returns, no new task starts; running tasks continue. */
    public Pipeline pause(String name) {
        return flip(name, true);
    }

    public Pipeline resume(String name) {
        return flip(name, false);
    }

    private Pipeline flip(String name, boolean paused) {
        Pipeline after = transactions.call(() -> {
            requireLocked(name);
            pipelines.pause(name, paused);
            return get(name);
        });
        said("pipeline %s".formatted(name), paused);
        return after;
    }

    private void requireLocked(String name) {
        if (pipelines.lock(name).isEmpty()) {
            throw OrthException.notFound("pipeline", name);
        }
    }

    public Pipeline pauseStage(String name, String stage, boolean paused) {
        Pipeline before = get(name);
        if (before.stages().stream().noneMatch(each -> each.name().equals(stage))
                && !before.pausedStages().contains(stage)) {
            throw OrthException.notFound("stage", stage);
        }
        transactions.run(() -> pipelines.pauseStage(name, stage, paused));
        said("stage %s of pipeline %s".formatted(stage, name), paused);
        return get(name);
    }

    public void pauseAll(boolean paused) {
        transactions.run(() -> pipelines.pauseAll(paused));
        said("all of pipelines", paused);
    }

    public boolean allPaused() {
        return pipelines.allPaused();
    }

    private void said(String what, boolean paused) {
        log.publish(LogLevel.INFO, what + (paused ? " is paused" : " is resumed"), null, null);
        if (!paused) {
            signals.dispatch();
        }
    }
}
