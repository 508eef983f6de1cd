package io.orth.admin.pipeline;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** All statements about tasks, for tests of their plans. */
public final class PipelineStatements {

    private PipelineStatements() {}

    /** Inserts this many tasks, outbox entries and log lines of a hundred runs. */
    public static void fill(AdminFixture admin, int tasks) {
        for (int i = 0; i < 100; i++) {
            admin.pipelines.submit("plans", "first");
        }
        admin.jdbc.sql("""
                        insert into orth_pipeline_task (id, root_id, stage, stage_id, target_type, target_id, status, seq, status_at,
                                                        max_attempts, created_by, created_at, meta)
                        select n, (select id from orth_pipeline_run order by id offset n % 100 limit 1), 1, 1, 't', n::text,
                               case when n % 3 = 0 then 'PENDING' when n % 3 = 1 then 'COMPLETED' else 'FAILED' end, 1, now(), 3, 'ann',
                               now(), '{"language": "en"}'
                          from generate_series(1, :tasks) n
                        """).param("tasks", tasks).update();
        admin.jdbc.sql("""
                        insert into orth_outbox (id, kind, stage_id, root_id, job_id, attempt, destination, payload, trace_id, created_at,
                                                 next_attempt_at, sent_at, message_id)
                        select id, 'QUEUE', 1, root_id, id, 1, 'q', '{}', 't', now(), now(), now(), id from orth_pipeline_task where stage = 1
                        """).update();
        admin.jdbc.sql("""
                        insert into orth_pipeline_proposal (id, root_id, stage, parent_id, target_type, target_id, meta)
                        select id, root_id, 1, id, 't', id::text, '{}' from orth_pipeline_task where stage = 1
                        """).update();
        admin.jdbc.sql("""
                        insert into orth_execution_log (root_id, task_id, phase, payload, created_at)
                        select root_id, id, 'start', '{}', now() from orth_pipeline_task
                        """).update();
        admin.jdbc.sql("""
                        insert into orth_content_log (root_id, task_id, content_ref, status, size, created_at)
                        select root_id, id, 'ref', 'stored', 1, now() from orth_pipeline_task
                        """).update();
        admin.jdbc.sql("vacuum analyze").update();
    }

    /** Deletes all rows and vacuums. */
    public static void empty(AdminFixture admin) {
        for (String table : List.of(
                "orth_content_log",
                "orth_execution_log",
                "orth_pipeline_proposal",
                "orth_outbox",
                "orth_pipeline_task",
                "orth_message")) {
            admin.jdbc.sql("delete from " + table).update();
        }
        admin.jdbc.sql("vacuum analyze").update();
    }

    public static void exercise(AdminFixture admin, Target executor, int size) {
        PipelineFixture fixture = admin.pipelines;
        String[] targets = IntStream.range(0, size).mapToObj(i -> "plan" + i).toArray(String[]::new);
        long run = fixture.submit("plans", targets);
        fixture.dispatcher.run();
        List<ClaimedMessage> messages = fixture.receive("courses", executor, size);
        List<TaskKey> keys = messages.stream().map(PipelineFixture::keyOf).toList();
        fixture.content(executor, keys.get(0), "ref");
        admin.queues.report(
                "q.courses",
                executor.executorId(),
                IntStream.range(0, keys.size())
                        .mapToObj(i -> (i % 3 == 0
                                        ? PipelineFixture.failed(keys.get(i))
                                        : PipelineFixture.ok(keys.get(i), "c" + i))
                                .of(messages.get(i).id(), messages.get(i).logId()))
                        .toArray(MessageResult[]::new));
        fixture.reconciler.reconcile(run, false);
        fixture.tasks.list(new PipelineTasks.Filter(run, null, null, null, null, null, 0, size));
        fixture.tasks.list(new PipelineTasks.Filter(run, 0, null, null, null, Map.of("language", "en"), 0, size));
        fixture.tasks.log(run, null, null, 0, size);
        fixture.tasks.latestLog(run, size);
        fixture.tasks.attempts(run, size);
        fixture.tasks.lastAttempt(run + 1);
        fixture.tasks.content(run, null, null, 0, size);
        fixture.tasks.unchanged(10);
        fixture.tasks.momentsOf(keys.get(0).taskId());
        fixture.tasks.find(keys.stream().map(TaskKey::taskId).toList());
        new TaskMessageWork(admin.jdbc)
                .find(messages.stream().map(ClaimedMessage::id).toList());
        fixture.runs.list(new PipelineRunFilter("plans", null, null, null, null, Map.of(), Long.MAX_VALUE, size));
        fixture.runs.list(new PipelineRunFilter(null, null, null, null, null, Map.of("a", "b"), Long.MAX_VALUE, size));
        fixture.outbox.list(true, 0, size);
        OutboxRepository outbox = fixture.tables.outbox;
        outbox.parked(keys.stream().map(TaskKey::taskId).toList());
        outbox.redrive(keys.stream().map(TaskKey::taskId).toList());
        outbox.dropParked(run);
        fixture.measure();
        fixture.tables.tasks.countFailed(run, 0, 1, null);
        fixture.runs.cancel(run, "ann", null);
        fixture.reconciler.reconcile(run, false);
        fixture.keeper.prune(Duration.ofMillis(-1));
    }
}
