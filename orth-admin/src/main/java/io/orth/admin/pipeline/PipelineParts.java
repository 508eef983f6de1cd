package io.orth.admin.pipeline;

import io.orth.admin.alarm.Alarms;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Queues;
import io.orth.admin.systemlog.SystemLog;
import java.net.http.HttpClient;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Everything about pipelines over one database, put together. */
final class PipelineParts {

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final Transactions transactions;
    private final RunIdGenerator ids;
    private final Queues queues;
    private final SystemLog log;
    private final PipelineMetrics metrics;
    private final PipelineProperties properties;
    private final Runnable dispatch;
    private final TaskRepository tasks;
    private final OutboxRepository entries;
    private final PipelineReconciler reconciler;

    /**
     * @param carried the tasks that the messages of the queues carry
     * @param dispatch there may be something new in the outbox
     */
    PipelineParts(
            JdbcClient jdbc,
            StateChanges journal,
            Transactions transactions,
            RunIdGenerator ids,
            Queues queues,
            CarriedTasks carried,
            Alarms alarms,
            SystemLog log,
            PipelineMetrics metrics,
            PipelineProperties properties,
            Runnable dispatch) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.transactions = transactions;
        this.ids = ids;
        this.queues = queues;
        this.log = log;
        this.metrics = metrics;
        this.properties = properties;
        this.dispatch = dispatch;
        this.tasks = new TaskRepository(jdbc, ids);
        this.entries = new OutboxRepository(jdbc, ids);
        this.reconciler = new PipelineReconciler(
                jdbc,
                new PipelineRunRepository(jdbc, journal),
                new RootPass(
                        jdbc,
                        journal,
                        metrics,
                        queues,
                        tasks,
                        entries,
                        new FailedRunReports(alarms, log, queues, tasks),
                        properties),
                metrics,
                transactions,
                log,
                properties,
                dispatch);
        carried.connect(reconciler::hint, dispatch);
    }

    Pipelines pipelines() {
        return new Pipelines(
                jdbc, journal, queues, transactions, log, properties.webhooks().keySet(), dispatch);
    }

    PipelineRuns runs() {
        return new PipelineRuns(jdbc, journal, metrics, ids, transactions, dispatch, reconciler::hint);
    }

    TaskDesk desk() {
        return new TaskDesk(new TaskNotes(jdbc, journal, transactions, tasks));
    }

    Outbox outbox() {
        return new Outbox(entries, transactions, dispatch);
    }

    OutboxDispatcher dispatcher() {
        return new OutboxDispatcher(
                entries, new PipelineRunRepository(jdbc, journal), queues, transactions, metrics, log, properties);
    }

    /** @param name of the address; null for what goes to none that is configured */
    WebhookDispatcher webhook(String name, HttpClient http, Node node) {
        return new WebhookDispatcher(
                name,
                entries,
                dispatcher(),
                new ForeignTasks(jdbc, journal, metrics, tasks, entries),
                transactions,
                metrics,
                properties,
                reconciler::hint,
                http,
                node);
    }

    PipelineReconciler reconciler() {
        return reconciler;
    }

    PipelineWatch watch() {
        return new PipelineWatch(new RootRepository(jdbc), entries, metrics);
    }

    PipelineKeeper keeper() {
        return new PipelineKeeper(jdbc, entries, transactions, properties);
    }
}
