package io.orth.admin.run;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the wish to end runs: who has it, and which runs are still to be ended. */
final class KillRepository {

    /** The first wish stands; what is over is left alone. */
    private static final String REQUEST = """
            with locked as (
                select id from orth_run where id = any(:ids) order by id for update
            )
            update orth_run
               set kill_requested_at = now(), kill_requested_by = :by, kill_reason = :reason,
                   kill_next_at = now() + make_interval(secs => :again)
             where id = any(array(select id from locked))
               and status in ('INIT', 'PENDING')
               and kill_requested_at is null
            """;

    private static final String CLAIM_DUE = """
            with due as (
                select id
                  from orth_run
                 where kill_next_at <= now()
                   and status in ('INIT', 'PENDING')
                 order by kill_next_at
                 limit :limit
                   for update skip locked
            )
            update orth_run
               set kill_next_at = now() + make_interval(secs => :again)
             where id = any(array(select id from due))
               and status in ('INIT', 'PENDING')
            returning
            """ + RunRepository.COLUMNS;

    private static final String OPEN_OF_JOB = """
            select id
              from orth_run
             where job_id = :job
               and status in ('INIT', 'PENDING')
             order by id + 0
             limit :limit
            """;

    private static final String LOCK_UNSENT = "select " + RunRepository.COLUMNS + """
              from orth_run
             where id = any(:ids)
               and status = 'INIT'
               and kill_requested_at is not null
               and executor_id is null
             order by id
               for update
            """;

    /** Of unsent ones only those that nobody can be sending any more. */
    private static final String LOCK_UNKNOWN = "select " + RunRepository.COLUMNS + """
              from orth_run
             where id = any(:ids)
               and kill_requested_at is not null
               and (status = 'PENDING' or (status = 'INIT' and claim_until < now()))
             order by id
               for update
            """;

    private static final String LOCK_OVERDUE = """
            select id
              from orth_run
             where id = any(:ids)
               and status = 'INIT'
               and kill_requested_at is not null
               and claim_until < now()
             order by id
               for update
            """;

    private static final String TOLD = "select id from orth_run where id = any(:ids) and kill_told_at is not null";

    /** Without {@code again} it is not seen to any more: its result ends it, or the verdict that it is lost. */
    private static final String MARK_TOLD = """
            with locked as (
                select id from orth_run where id = any(:ids) order by id for update
            )
            update orth_run
               set kill_told_at = now(),
                   kill_next_at = coalesce(now() + make_interval(secs => :again), 'infinity')
             where id = any(array(select id from locked))
               and status = 'PENDING'
               and kill_requested_at is not null
            """;

    private static final String SET_SENT = """
            with locked as (
                select id from orth_run where id = any(:ids) order by id for update
            )
            update orth_run
               set kill_sent_at = case when :sent then now() end
             where id = any(array(select id from locked))
               and kill_requested_at is not null
               and (kill_sent_at is not null) <> :sent
            """;

    private static final String LOCK_TOLD_IN_VAIN = "select " + RunRepository.COLUMNS + """
              from orth_run
             where id = any(:ids)
               and status = 'PENDING'
               and kill_requested_at is not null
               and kill_told_at <= now() - make_interval(secs => :grace)
               and kill_next_at < 'infinity'
             order by id
               for update
            """;

    private final JdbcClient jdbc;

    KillRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void request(Collection<Long> ids, String by, String reason, Duration again) {
        jdbc.sql(REQUEST)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .param("by", by)
                .param("reason", reason)
                .param("again", RunRepository.seconds(again))
                .update();
    }

    List<Run> claimDue(int limit, Duration again) {
        return jdbc.sql(CLAIM_DUE)
                .param("limit", limit)
                .param("again", RunRepository.seconds(again))
                .query(RunRepository.TO_RUN)
                .list();
    }

    List<Long> openOf(int jobId, int limit) {
        return jdbc.sql(OPEN_OF_JOB)
                .param("job", jobId)
                .param("limit", limit)
                .query(Long.class)
                .list();
    }

    List<Run> lockUnsent(Collection<Long> ids) {
        return locked(LOCK_UNSENT, ids);
    }

    List<Run> lockUnknown(Collection<Long> ids) {
        return locked(LOCK_UNKNOWN, ids);
    }

    List<Long> lockOverdue(Collection<Long> ids) {
        return jdbc.sql(LOCK_OVERDUE)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query(Long.class)
                .list();
    }

    List<Long> told(Collection<Long> ids) {
        return jdbc.sql(TOLD)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query(Long.class)
                .list();
    }

    /** {@code again} is null where it is not to be seen to again. */
    void markTold(Collection<Long> ids, Duration again) {
        jdbc.sql(MARK_TOLD)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .param("again", again == null ? null : RunRepository.seconds(again), Types.DOUBLE)
                .update();
    }

    void setSent(Collection<Long> ids, boolean sent) {
        jdbc.sql(SET_SENT)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .param("sent", sent)
                .update();
    }

    List<Run> lockToldInVain(Collection<Long> ids, Duration grace) {
        return jdbc.sql(LOCK_TOLD_IN_VAIN)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .param("grace", RunRepository.seconds(grace))
                .query(RunRepository.TO_RUN)
                .list();
    }

    private List<Run> locked(String statement, Collection<Long> ids) {
        return jdbc.sql(statement)
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query(RunRepository.TO_RUN)
                .list();
    }

    /** Reads the columns {@code kill_requested_at, kill_requested_by, kill_reason}; null where nobody wants it ended. */
    static Run.Kill read(ResultSet row) throws SQLException {
        Instant at = SqlRows.instant(row, "kill_requested_at");
        return at == null ? null : new Run.Kill(at, row.getString("kill_requested_by"), row.getString("kill_reason"));
    }
}
