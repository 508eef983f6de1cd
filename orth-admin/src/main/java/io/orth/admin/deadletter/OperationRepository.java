package io.orth.admin.deadletter;

import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Branch;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.deadletter.OperationMove.Reason;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
import io.orth.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** SQL of bulk operations. Every change is guarded by the required status. */
@Component
final class OperationRepository {

    private static final String COLUMNS = """
            id, action, status, kind, queue_id, job_id, handler, trace_id, fingerprint, error, died_from as "from", died_to as "to", numbers,
            last_no, place, branches, total, done, skipped, failed, last_error, held_by, reason, created_by, created_at, updated_at, finished_at
            """;

    private static final String ADD = """
            insert into orth_operation (action, status, kind, queue_id, job_id, handler, trace_id, fingerprint, error, died_from, died_to,
                                        numbers, last_no, total, reason, created_by)
            values (:action, 'RUNNING', :kind, :queue::integer, :job::integer, :handler, :trace, :fingerprint, :error, :from::timestamptz, :to::timestamptz,
                    :numbers, :lastNo, :total, :reason, :by)
            returning
            """ + COLUMNS;

    private static final String LIST = "select " + COLUMNS + """
              from orth_operation
             where id < :before
             order by id desc
             limit :limit
            """;

    private static final String LIST_OF_STATUS = "select " + COLUMNS + """
              from orth_operation
             where status = :status
               and id < :before
             order by id desc
             limit :limit
            """;

    /** The transaction that holds the row lock processes the operation. */
    private static final String TAKE_ANY = "select " + COLUMNS + """
              from orth_operation
             where status = 'RUNNING'
               and next_at <= now()
             order by next_at
             limit 1
               for update skip locked
            """;

    private static final String TAKE = "select " + COLUMNS + """
              from orth_operation
             where id = :id
               and status = 'RUNNING'
               for update skip locked
            """;

    private static final String NEXT =
            "select next_at from orth_operation where status = 'RUNNING' and next_at > now() order by next_at limit 1";

    /** At the end, items that were not reached count as skipped: they no longer existed. */
    private static final String ADVANCE = """
            update orth_operation
               set place = :place, branches = :branches::jsonb, done = done + :done, failed = failed + :failed,
                   skipped = case when :end then greatest(skipped + :skipped, total - done - :done - failed - :failed)
                                  else skipped + :skipped end,
                   total = greatest(total, done + :done + skipped + :skipped + failed + :failed),
                   last_error = coalesce(:error, last_error), held_by = :heldBy, updated_at = clock_timestamp(),
                   next_at = clock_timestamp() + make_interval(secs => :rest)
             where id = :id
               and status = 'RUNNING'
            """;

    private static final String REST = """
            update orth_operation set next_at = clock_timestamp() + make_interval(secs => :rest) where id = :id and status = 'RUNNING'
            """;

    private static final StatusTable<OperationMove> MOVES = StatusTable.<OperationMove>of("orth_operation")
            .set("""
                    updated_at = clock_timestamp(), next_at = clock_timestamp(), held_by = null,
                    finished_at = case when w.target in ('DONE', 'ABORTED') then clock_timestamp() end""")
            .facts("t.job_id", "null::bigint", "null::text")
            .update();

    private static final String PRUNE = """
            delete from orth_operation
             where id = any(array(select id
                                    from orth_operation
                                   where finished_at < now() - make_interval(secs => :age)
                                   order by finished_at
                                   limit :limit))
            """;

    /** A bulk operation to create; see {@link Operation}. */
    record New(
            Action action,
            DeadLetterFilter filter,
            Collection<Long> numbers,
            long lastNo,
            long total,
            String reason,
            String createdBy) {}

    /** Result of one part. {@code rest} is the pause after it. */
    record Advance(
            long place,
            List<Branch> branches,
            int done,
            int skipped,
            int failed,
            String error,
            String heldBy,
            Duration rest,
            boolean end) {}

    private static final RowMapper<DeadLetterFilter> TO_FILTER = new SimplePropertyRowMapper<>(DeadLetterFilter.class);

    private static final RowMapper<Operation.Progress> TO_PROGRESS =
            new SimplePropertyRowMapper<>(Operation.Progress.class);

    private final JdbcClient jdbc;
    private final Lifecycle<Status, OperationMove> lifecycle;

    OperationRepository(JdbcClient jdbc, StateChanges changes) {
        this.jdbc = jdbc;
        this.lifecycle = new Lifecycle<>(EntityKind.OPERATION, moves -> MOVES.move(jdbc, moves), changes);
    }

    Operation add(New wanted) {
        DeadLetterFilter filter = wanted.filter();
        Operation made = jdbc.sql(ADD)
                .params(Map.of("action", wanted.action().name(), "lastNo", wanted.lastNo(), "total", wanted.total()))
                .param("kind", filter.kind() == null ? null : filter.kind().name())
                .param("queue", filter.queueId())
                .param("job", filter.jobId())
                .param("handler", filter.handler())
                .param("trace", filter.traceId())
                .param("fingerprint", filter.fingerprint())
                .param("error", filter.error())
                .param("from", SqlRows.timestamp(filter.from()))
                .param("to", SqlRows.timestamp(filter.to()))
                .param("numbers", wanted.numbers() == null ? null : SqlArrays.bigints(wanted.numbers(), no -> no))
                .param("reason", wanted.reason())
                .param("by", wanted.createdBy())
                .query(OperationRepository::read)
                .single();
        lifecycle.created(
                List.of(new MovedRow(made.id(), 1, null, made.createdAt(), filter.jobId(), null, null)),
                Status.RUNNING,
                Reason.CREATED.name());
        return made;
    }

    Optional<Operation> find(long id) {
        return jdbc.sql("select " + COLUMNS + " from orth_operation where id = :id")
                .param("id", id)
                .query(OperationRepository::read)
                .optional();
    }

    List<Operation> list(Status status, long before, int limit) {
        JdbcClient.StatementSpec statement =
                status == null ? jdbc.sql(LIST) : jdbc.sql(LIST_OF_STATUS).param("status", status.name());
        return statement
                .params(Map.of("before", before, "limit", limit))
                .query(OperationRepository::read)
                .list();
    }

    /** Claims a due operation that no other transaction is processing, by locking its row. */
    Optional<Operation> takeAny() {
        return jdbc.sql(TAKE_ANY).query(OperationRepository::read).optional();
    }

    /** Claims this operation; empty if it is locked or not running. */
    Optional<Operation> take(long id) {
        return jdbc.sql(TAKE).param("id", id).query(OperationRepository::read).optional();
    }

    /** Returns when the next postponed operation is due. */
    Optional<Instant> next() {
        return jdbc.sql(NEXT).query((row, n) -> SqlRows.instant(row, "next_at")).optional();
    }

    /** Records the result of a part, and completes the operation if it was the last one. */
    void advance(long id, Advance step) {
        jdbc.sql(ADVANCE)
                .param("id", id)
                .param("place", step.place())
                .param("branches", write(step.branches()))
                .param("done", (long) step.done())
                .param("skipped", (long) step.skipped())
                .param("failed", (long) step.failed())
                .param("error", step.error())
                .param("heldBy", step.heldBy())
                .param("rest", step.rest().toMillis() / 1000.0)
                .param("end", step.end())
                .update();
        if (step.end()) {
            move(id, Status.RUNNING, Status.DONE, Reason.COMPLETED);
        }
    }

    /** Postpones the operation by this time. */
    void rest(long id, Duration time) {
        jdbc.sql(REST).param("id", id).param("rest", time.toMillis() / 1000.0).update();
    }

    /** Changes the status. Returns false if the operation was not in {@code from}. */
    boolean move(long id, Status from, Status to, Reason reason) {
        return !lifecycle
                .moveAll(List.of(new OperationMove(id, from, to, reason)))
                .isEmpty();
    }

    /** Deletes operations that finished before this age. */
    int prune(Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("age", age.toMillis() / 1000.0, "limit", limit))
                .update();
    }

    private static Operation read(ResultSet row, int n) throws SQLException {
        return new Operation(
                row.getLong("id"),
                Action.valueOf(row.getString("action")),
                Status.valueOf(row.getString("status")),
                TO_FILTER.mapRow(row, n),
                numbers(row.getArray("numbers")),
                row.getLong("last_no"),
                row.getLong("place"),
                branches(row.getString("branches")),
                TO_PROGRESS.mapRow(row, n),
                row.getString("reason"),
                row.getString("created_by"),
                SqlRows.instant(row, "created_at"),
                SqlRows.instant(row, "updated_at"),
                SqlRows.instant(row, "finished_at"));
    }

    private static String write(List<Branch> branches) {
        return branches.stream()
                .map(branch -> "{\"kind\":\"%s\",\"owner\":%d,\"place\":%d}"
                        .formatted(branch.kind(), branch.owner(), branch.place()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static List<Branch> branches(String json) {
        return Json.readArray(json.getBytes(StandardCharsets.UTF_8)).stream()
                .map(branch -> new Branch(
                        DeadKind.valueOf(branch.requiredText("kind")),
                        branch.requiredInteger("owner"),
                        branch.requiredNumber("place")))
                .toList();
    }

    private static List<Long> numbers(Array numbers) throws SQLException {
        return numbers == null ? null : List.of((Long[]) numbers.getArray());
    }
}
