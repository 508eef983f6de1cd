package io.orth.admin.job;

import io.orth.admin.job.JobMove.Reason;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.MDC;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The only writer of a job's status. Callers own the transaction. */
final class JobLifecycle {

    /** A paused job has no next fire time. */
    private static final StatusTable<JobMove> MOVES = table().set(
                    "next_fire_at = case when w.target then t.next_fire_at end")
            .update();

    /** Keeps the attributes of a deleted job for listeners and for later queries. */
    private static final StatusTable<JobMove> DELETIONS =
            table().leaveTo("orth_deleted_job", "id, name, handler, group_id", "id, name, handler, group_id");

    private static StatusTable.Builder<JobMove> table() {
        return StatusTable.<JobMove>of("orth_job")
                .status(
                        "enabled",
                        moves -> SqlArrays.booleans(moves, move -> move.from() == JobStatus.ENABLED),
                        moves -> SqlArrays.booleans(moves, move -> move.to() == JobStatus.ENABLED))
                .facts("t.id", "null::bigint", ":trace::text");
    }

    private final JdbcClient jdbc;
    private final Lifecycle<JobStatus, JobMove> lifecycle;

    JobLifecycle(JdbcClient jdbc, StateChanges changes) {
        this.jdbc = jdbc;
        this.lifecycle = new Lifecycle<>(EntityKind.JOB, this::move, changes);
    }

    void created(int id, boolean enabled) {
        Instant at = jdbc.sql("select created_at from orth_job where id = :id")
                .param("id", id)
                .query((row, n) -> SqlRows.instant(row, "created_at"))
                .single();
        lifecycle.created(
                List.of(new MovedRow(id, 1, null, at, id, null, MDC.get("traceId"))),
                JobStatus.of(enabled),
                Reason.CREATED.name());
    }

    /** Enables or pauses the job; does nothing if it already has this status. */
    void set(Job before, boolean enabled, Reason reason) {
        if (before.enabled() != enabled) {
            lifecycle.moveAll(
                    List.of(new JobMove(before.id(), JobStatus.of(before.enabled()), JobStatus.of(enabled), reason)));
        }
    }

    void end(Collection<Integer> ids) {
        lifecycle.moveAll(ids.stream()
                .map(id -> new JobMove(id, JobStatus.ENABLED, JobStatus.PAUSED, Reason.ENDED))
                .toList());
    }

    void delete(Job before) {
        lifecycle.moveAll(
                List.of(new JobMove(before.id(), JobStatus.of(before.enabled()), JobStatus.DELETED, Reason.DELETED)));
    }

    private List<MovedRow> move(List<JobMove> moves) {
        Map<Boolean, List<JobMove>> deleted =
                moves.stream().collect(Collectors.partitioningBy(move -> move.to() == JobStatus.DELETED));
        List<MovedRow> moved = new ArrayList<>();
        moved.addAll(execute(MOVES, deleted.get(false)));
        moved.addAll(execute(DELETIONS, deleted.get(true)));
        return moved;
    }

    private List<MovedRow> execute(StatusTable<JobMove> statement, List<JobMove> moves) {
        return moves.isEmpty()
                ? List.of()
                : statement
                        .on(jdbc, moves)
                        .param("trace", MDC.get("traceId"))
                        .query((row, n) -> StatusTable.read(row))
                        .list();
    }
}
