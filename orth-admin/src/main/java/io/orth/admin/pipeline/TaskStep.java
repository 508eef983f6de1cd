package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What happens to tasks in one transaction, all at one moment. The only writer of a task's status. Whoever made it calls
 * {@link #end} before the transaction ends.
 */
final class TaskStep {

    private static final String MOVE = """
            with before as (
                select id, status_at, executor_id from orth_pipeline_task where id = any(:ids) order by id for update
            )
            update orth_pipeline_task t
               set status = :to, seq = t.seq + 1, status_at = :at, past = t.past || t.status_at,
                   attempts = case when :to = 'CLAIMED' then w.attempt when :from = 'CLAIMED' and :to = 'PENDING' then w.attempt - 1
                                   else t.attempts end,
                   max_attempts = case when w.more > 0 then t.attempts + w.more else t.max_attempts end,
                   executor_id = case :to when 'CLAIMED' then w.executor when 'RUNNING' then t.executor_id end,
                   locked_at = case :to when 'CLAIMED' then :at when 'RUNNING' then t.locked_at end,
                   log_id = case :to when 'CLAIMED' then w.log else t.log_id end,
                   started_at = case :to when 'RUNNING' then :at else t.started_at end,
                   finished_at = case when :to in ('COMPLETED', 'FAILED', 'CANCELLED') then :at end,
                   result = case :to when 'COMPLETED' then w.text::jsonb end,
                   error = case when :to in ('FAILED', 'PENDING') then coalesce(w.text::jsonb, t.error)
                                when :to <> 'COMPLETED' then t.error end
              from before, unnest(:ids, :attempts, :executors, :logs, :texts, :mores) as w(id, attempt, executor, log, text, more),
                   orth_pipeline_run r
             where t.id = before.id
               and t.id = w.id
               and r.id = t.root_id
               and t.status = :from
               and t.attempts = case when :to = 'CLAIMED' then w.attempt - 1 else w.attempt end
               and (:to = 'CLAIMED' or w.executor is null or t.executor_id = w.executor)
            returning t.id, t.seq, before.status_at as since, coalesce(before.executor_id, t.executor_id) as executor_id, t.root_id,
                      t.stage, t.target_type, t.started_at, r.trace_id
            """;

    private static final String DELTA = """
            insert into orth_pipeline_delta (root_id, stage, completed, failed, cancelled)
            select * from unnest(:roots, :stages, :completed, :failed, :cancelled)
            """;

    private record StageOf(long root, int stage) {}

    /** By how much the counters of one stage of one run change. */
    private static final class Delta {
        private int completed;
        private int failed;
        private int cancelled;

        private boolean isNothing() {
            return completed == 0 && failed == 0 && cancelled == 0;
        }
    }

    private final JdbcClient jdbc;
    private final Instant at;
    private final PipelineMetrics metrics;
    private final Lifecycle<PipelineTaskStatus, TaskMove> lifecycle;
    private final Map<StageOf, Delta> deltas = new HashMap<>();
    private final List<Runnable> counts = new ArrayList<>();
    private final ContentLog content;
    private final Map<String, List<Long>> contentOf = new HashMap<>();

    /** @param at when all of it happens */
    TaskStep(JdbcClient jdbc, StateChanges journal, PipelineMetrics metrics, Instant at) {
        this.jdbc = jdbc;
        this.at = at;
        this.metrics = metrics;
        this.content = new ContentLog(jdbc);
        this.lifecycle = new Lifecycle<>(EntityKind.PIPELINE_TASK, this::execute, journal);
    }

    Instant at() {
        return at;
    }

    /** These were just inserted. */
    void created(List<NewTask> tasks, String traceId) {
        lifecycle.created(
                tasks.stream()
                        .map(task -> new MovedRow(task.id(), 1, null, at, null, null, traceId))
                        .toList(),
                PipelineTaskStatus.PENDING,
                PipelineTaskCause.CREATED.name());
        tasks.forEach(task -> counts.add(() -> metrics.created(task.targetType())));
    }

    /** Returns the ids that moved. */
    Set<Long> move(Collection<TaskMove> moves) {
        return lifecycle.moveAll(moves);
    }

    private List<MovedRow> execute(List<TaskMove> moves) {
        Map<PipelineTaskStatus, Map<PipelineTaskStatus, List<TaskMove>>> alike =
                new EnumMap<>(PipelineTaskStatus.class);
        moves.forEach(move -> alike.computeIfAbsent(move.from(), any -> new EnumMap<>(PipelineTaskStatus.class))
                .computeIfAbsent(move.to(), any -> new ArrayList<>())
                .add(move));
        List<MovedRow> moved = new ArrayList<>(moves.size());
        alike.forEach((from, byTarget) -> byTarget.forEach((to, some) -> moved.addAll(execute(from, to, some))));
        return moved;
    }

    private List<MovedRow> execute(PipelineTaskStatus from, PipelineTaskStatus to, List<TaskMove> moves) {
        return jdbc.sql(MOVE)
                .param("from", from.name())
                .param("to", to.name())
                .param("at", SqlRows.timestamp(at))
                .param("ids", SqlArrays.bigints(moves, TaskMove::id))
                .param("attempts", SqlArrays.integers(moves, TaskMove::attempt))
                .param("executors", SqlArrays.bigints(moves, TaskMove::executorId))
                .param("logs", SqlArrays.bigints(moves, TaskMove::logId))
                .param("texts", SqlArrays.texts(moves, TaskMove::text))
                .param("mores", SqlArrays.integers(moves, TaskMove::more))
                .query((row, n) -> moved(row, from, to))
                .list();
    }

    private MovedRow moved(ResultSet row, PipelineTaskStatus from, PipelineTaskStatus to) throws SQLException {
        count(new StageOf(row.getLong("root_id"), row.getInt("stage")), from, to);
        settle(row.getLong("id"), from, to);
        String target = row.getString("target_type");
        Instant startedAt = SqlRows.instant(row, "started_at");
        counts.add(() -> metrics.moved(target, from, to, startedAt, at));
        Instant since = SqlRows.instant(row, "since");
        return new MovedRow(
                row.getLong("id"),
                row.getInt("seq"),
                // Two transactions may have begun in another order than they came to the row.
                since.isAfter(at) ? at : since,
                at,
                null,
                SqlRows.longOrNull(row, "executor_id"),
                row.getString("trace_id"));
    }

    private void count(StageOf stage, PipelineTaskStatus from, PipelineTaskStatus to) {
        Delta delta = deltas.computeIfAbsent(stage, any -> new Delta());
        if (from == PipelineTaskStatus.FAILED) {
            delta.failed--;
        }
        switch (to) {
            case COMPLETED -> delta.completed++;
            case FAILED -> delta.failed++;
            case CANCELLED -> delta.cancelled++;
            case PENDING, CLAIMED, RUNNING -> {}
        }
    }

    /** What a task has made is worth what has become of the task. */
    private void settle(long task, PipelineTaskStatus from, PipelineTaskStatus to) {
        String status = switch (to) {
            case COMPLETED -> ContentLog.READY;
            case FAILED, CANCELLED -> ContentLog.ABANDONED;
            case PENDING -> from == PipelineTaskStatus.FAILED ? ContentLog.STORED : null;
            case CLAIMED, RUNNING -> null;
        };
        if (status != null) {
            contentOf.computeIfAbsent(status, any -> new ArrayList<>()).add(task);
        }
    }

    /** Does what follows from all that was done. */
    void end() {
        contentOf.forEach((status, tasks) -> content.settle(tasks, status));
        List<Map.Entry<StageOf, Delta>> some = deltas.entrySet().stream()
                .filter(each -> !each.getValue().isNothing())
                .toList();
        if (!some.isEmpty()) {
            jdbc.sql(DELTA)
                    .param(
                            "roots",
                            SqlArrays.bigints(some, each -> each.getKey().root()))
                    .param(
                            "stages",
                            SqlArrays.integers(some, each -> each.getKey().stage()))
                    .param("completed", SqlArrays.integers(some, each -> each.getValue().completed))
                    .param("failed", SqlArrays.integers(some, each -> each.getValue().failed))
                    .param("cancelled", SqlArrays.integers(some, each -> each.getValue().cancelled))
                    .update();
        }
        Transactions.afterCommit(() -> counts.forEach(Runnable::run));
    }
}
