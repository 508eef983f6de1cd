package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.InOrder;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
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
 * Unit of work on tasks in one transaction, with one time for all transitions. The only writer of a task's status. Callers must call
 * {@link #end} before the transaction ends.
 */
final class TaskStep {

    private static final StatusTable<TaskMove> MOVES = StatusTable.<TaskMove>of("orth_pipeline_task")
            .column("attempt", moves -> SqlArrays.integers(moves, TaskMove::attempt))
            .column("executor", moves -> SqlArrays.bigints(moves, TaskMove::executorId))
            .column("log", moves -> SqlArrays.bigints(moves, TaskMove::logId))
            .column("text", moves -> SqlArrays.texts(moves, TaskMove::text))
            .column("more", moves -> SqlArrays.integers(moves, TaskMove::more))
            .before("executor_id")
            .fenced("t.executor_id", "t.log_id")
            // A claim belongs to exactly one attempt.
            .onlyIf(
                    "w.fence_claim is not null or t.attempts = case w.target when 'CLAIMED' then w.attempt - 1 else w.attempt end")
            .at(":at")
            .set("""
                    past = t.past || t.status_at,
                    attempts = case when w.target = 'CLAIMED' then w.attempt
                                    when w.more < 0 then t.attempts + w.more
                                    else t.attempts end,
                    max_attempts = case when w.more > 0 then t.attempts + w.more else t.max_attempts end,
                    executor_id = case w.target when 'CLAIMED' then w.executor when 'RUNNING' then t.executor_id end,
                    locked_at = case w.target when 'CLAIMED' then :at when 'RUNNING' then t.locked_at end,
                    log_id = case w.target when 'CLAIMED' then w.log else t.log_id end,
                    started_at = case w.target when 'RUNNING' then :at else t.started_at end,
                    finished_at = case when w.target in ('COMPLETED', 'FAILED', 'CANCELLED') then :at end,
                    result = case w.target when 'COMPLETED' then w.text::jsonb end,
                    error = case when w.target in ('FAILED', 'PENDING') then coalesce(w.text::jsonb, t.error)
                                 when w.target <> 'COMPLETED' then t.error end\
                    """)
            .facts(
                    "null::integer",
                    "coalesce(w.before_executor_id, t.executor_id)",
                    "(select r.trace_id from orth_pipeline_run r where r.id = t.root_id)")
            .returning("t.root_id, t.stage, t.target_type, t.started_at")
            .update();

    private static final String DELTA = """
            insert into orth_pipeline_delta (root_id, stage, completed, failed, cancelled)
            select * from unnest(:roots, :stages, :completed, :failed, :cancelled)
            """;

    /** The statuses that stages have counters for. */
    private static final Set<PipelineTaskStatus> COUNTED =
            Set.of(PipelineTaskStatus.COMPLETED, PipelineTaskStatus.FAILED, PipelineTaskStatus.CANCELLED);

    private record StageOf(long root, int stage) {}

    private final JdbcClient jdbc;
    private final Instant at;
    private final PipelineMetrics metrics;
    private final Lifecycle<PipelineTaskStatus, TaskMove> lifecycle;

    /** Changes of the number of tasks per status. */
    private final Map<StageOf, Map<PipelineTaskStatus, Integer>> deltas = new HashMap<>();

    private final List<Runnable> counts = new ArrayList<>();
    private final ContentLog content;
    private final Map<String, List<Long>> contentOf = new HashMap<>();

    /** @param at the time of all transitions */
    TaskStep(JdbcClient jdbc, StateChanges journal, PipelineMetrics metrics, ContentLog content, Instant at) {
        this.jdbc = jdbc;
        this.at = at;
        this.metrics = metrics;
        this.content = content;
        this.lifecycle = new Lifecycle<>(EntityKind.PIPELINE_TASK, this::execute, journal);
    }

    Instant at() {
        return at;
    }

    /** Records the creation of tasks that were just inserted. */
    void created(List<NewTask> tasks, String traceId) {
        lifecycle.created(
                tasks.stream()
                        .map(task -> new MovedRow(task.id(), 1, null, at, null, null, traceId))
                        .toList(),
                PipelineTaskStatus.PENDING,
                PipelineTaskCause.CREATED.name());
        tasks.forEach(task -> counts.add(() -> metrics.created(task.targetType())));
    }

    /** Returns the ids of the tasks whose status changed. */
    Set<Long> move(Collection<TaskMove> moves) {
        return lifecycle.moveAll(moves);
    }

    private List<MovedRow> execute(List<TaskMove> moves) {
        InOrder<TaskMove> wanted = InOrder.of(moves, TaskMove::id);
        return MOVES.on(jdbc, moves)
                .param("at", SqlRows.timestamp(at))
                .query((row, n) -> moved(row, wanted.get(row.getLong("id"))))
                .list();
    }

    private MovedRow moved(ResultSet row, TaskMove move) throws SQLException {
        Map<PipelineTaskStatus, Integer> delta = deltas.computeIfAbsent(
                new StageOf(row.getLong("root_id"), row.getInt("stage")),
                any -> new EnumMap<>(PipelineTaskStatus.class));
        delta.merge(move.from(), -1, Integer::sum);
        delta.merge(move.to(), 1, Integer::sum);
        settle(move);
        String target = row.getString("target_type");
        Instant startedAt = SqlRows.instant(row, "started_at");
        counts.add(() -> metrics.moved(target, move.from(), move.to(), startedAt, at));
        return StatusTable.read(row).atAttempt(move.attempt());
    }

    /** Derives the status of a task's content from the status of the task. */
    private void settle(TaskMove move) {
        String status = switch (move.to()) {
            case COMPLETED -> ContentLog.READY;
            case FAILED, CANCELLED -> ContentLog.ABANDONED;
            case PENDING -> move.from() == PipelineTaskStatus.FAILED ? ContentLog.STORED : null;
            case CLAIMED, RUNNING -> null;
        };
        if (status != null) {
            contentOf.computeIfAbsent(status, any -> new ArrayList<>()).add(move.id());
        }
    }

    /** Writes content statuses and counter deltas. Updates metrics after commit. */
    void end() {
        contentOf.forEach((status, tasks) -> content.settle(tasks, status));
        List<StageOf> some = deltas.keySet().stream()
                .filter(stage -> COUNTED.stream().anyMatch(status -> delta(stage, status) != 0))
                .toList();
        if (!some.isEmpty()) {
            jdbc.sql(DELTA)
                    .param("roots", SqlArrays.bigints(some, StageOf::root))
                    .param("stages", SqlArrays.integers(some, StageOf::stage))
                    .param("completed", SqlArrays.integers(some, each -> delta(each, PipelineTaskStatus.COMPLETED)))
                    .param("failed", SqlArrays.integers(some, each -> delta(each, PipelineTaskStatus.FAILED)))
                    .param("cancelled", SqlArrays.integers(some, each -> delta(each, PipelineTaskStatus.CANCELLED)))
                    .update();
        }
        Transactions.afterCommit(() -> counts.forEach(Runnable::run));
    }

    private int delta(StageOf stage, PipelineTaskStatus status) {
        return deltas.get(stage).getOrDefault(status, 0);
    }
}
