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

    final Pipelines pipelines;
    final PipelineRuns runs;
    final TaskDesk desk;
    final Outbox outbox;
    final OutboxDispatcher dispatcher;
    final PipelineReconciler reconciler;
    final PipelineWatch watch;
    final PipelineKeeper keeper;
    private final OutboxRepository entries;
    private final ForeignTasks foreignTasks;
    private final Transactions transactions;
    private final PipelineMetrics metrics;
    private final PipelineProperties properties;

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
        this.transactions = transactions;
        this.metrics = metrics;
        this.properties = properties;
        this.entries = new OutboxRepository(jdbc, ids);
        TaskRepository tasks = new TaskRepository(jdbc, ids);
        this.foreignTasks = new ForeignTasks(jdbc, journal, metrics, tasks, entries);
        this.desk = new TaskDesk(jdbc, journal, transactions, tasks);
        this.watch = new PipelineWatch(new RootRepository(jdbc), entries, metrics);
        this.keeper = new PipelineKeeper(jdbc, entries, transactions, properties);
        this.pipelines = new Pipelines(
                jdbc, journal, queues, transactions, log, properties.webhooks().keySet(), dispatch);
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
        this.runs = new PipelineRuns(jdbc, journal, metrics, ids, transactions, dispatch, reconciler::hint);
        this.outbox = new Outbox(entries, runs, transactions, dispatch);
        this.dispatcher = new OutboxDispatcher(
                entries,
                new PipelineRunRepository(jdbc, journal),
                foreignTasks,
                queues,
                transactions,
                metrics,
                log,
                properties,
                reconciler::hint);
        carried.connect(reconciler::hint, dispatch);
    }

    /** @param name of the address; null for what goes to none that is configured */
    WebhookDispatcher webhook(String name, HttpClient http, Node node) {
        return new WebhookDispatcher(
                name,
                entries,
                dispatcher,
                foreignTasks,
                transactions,
                metrics,
                properties,
                reconciler::hint,
                http,
                node);
    }
}
