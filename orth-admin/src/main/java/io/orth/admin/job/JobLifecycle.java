package io.orth.admin.job;

import io.orth.admin.job.JobMove.Reason;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.MDC;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The only writer of a job's status. Callers own the transaction. */
final class JobLifecycle {

    private static final String MADE = "select created_at from orth_job where id = :id";

    /** What is paused is not due. */
    private static final String MOVE = """
            with before as (
                select id, enabled, status_at from orth_job where id = any(:ids) order by id for update
            )
            update orth_job j
               set enabled = not j.enabled, seq = j.seq + 1, status_at = clock_timestamp(),
                   next_fire_at = case when before.enabled then null else j.next_fire_at end
              from before, unnest(:ids, :enabled) as w(id, enabled)
             where j.id = before.id
               and j.id = w.id
               and before.enabled = w.enabled
            returning j.id, j.seq, before.status_at as since, j.status_at as at
            """;

    /** What it was is kept for those who are told of its end, or read about it later. */
    private static final String DELETE = """
            with gone as (
                delete from orth_job j
                 using unnest(:ids, :enabled) as w(id, enabled)
                 where j.id = w.id
                   and j.enabled = w.enabled
                returning j.id, j.name, j.handler, j.group_id, j.seq + 1 as seq, j.status_at as since
            ), kept as (
                insert into orth_deleted_job (id, name, handler, group_id)
                select id, name, handler, group_id from gone
            )
            select id, seq, since, clock_timestamp() as at from gone
            """;

    private final JdbcClient jdbc;
    private final Lifecycle<JobStatus, JobMove> lifecycle;

    JobLifecycle(JdbcClient jdbc, StateChanges journal) {
        this.jdbc = jdbc;
        this.lifecycle = new Lifecycle<>(EntityKind.JOB, this::move, journal);
    }

    void created(int id, boolean enabled) {
        Instant at = jdbc.sql(MADE)
                .param("id", id)
                .query((row, n) -> SqlRows.instant(row, "created_at"))
                .single();
        lifecycle.created(
                List.of(new MovedRow(id, 1, null, at, id, null, MDC.get("traceId"))),
                JobStatus.of(enabled),
                Reason.CREATED.name());
    }

    /** Does nothing where the job is so already. */
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
        return Stream.concat(
                        execute(
                                MOVE,
                                moves.stream()
                                        .filter(move -> move.to() != JobStatus.DELETED)
                                        .toList()),
                        execute(
                                DELETE,
                                moves.stream()
                                        .filter(move -> move.to() == JobStatus.DELETED)
                                        .toList()))
                .toList();
    }

    private Stream<MovedRow> execute(String statement, List<JobMove> moves) {
        if (moves.isEmpty()) {
            return Stream.empty();
        }
        return jdbc
                .sql(statement)
                .param("ids", SqlArrays.integers(moves, move -> (int) move.id()))
                .param("enabled", SqlArrays.booleans(moves, move -> move.from() == JobStatus.ENABLED))
                .query((row, n) -> moved(row))
                .list()
                .stream();
    }

    private static MovedRow moved(ResultSet row) throws SQLException {
        int id = row.getInt("id");
        return new MovedRow(
                id,
                row.getInt("seq"),
                SqlRows.instant(row, "since"),
                SqlRows.instant(row, "at"),
                id,
                null,
                MDC.get("traceId"));
    }
}
