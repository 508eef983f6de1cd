package io.orth.admin.run;

import io.orth.admin.kernel.SqlArrays;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Results of runs that had been judged lost. As long as nobody else has been given the work, the verdict is corrected, once,
 * and a success calls off the waiting retry. After that the result is only kept beside the run: its retry speaks for the work.
 *
 * <p>The lost run's row is locked first, then its retry's; whoever sends the retry locks the latter too, so one of the two comes
 * first and the other sees it. Callers own the transaction.
 */
final class LateResults {

    private static final String LOCK_LOST = """
            select id
              from orth_run_history
             where id = any(:ids)
               and status = 'FAILED'
               and cause = 'LOST'
               and late_at is null
             order by id
               for update
            """;

    private static final String LOCK_OPEN_RETRIES = "select " + RunRepository.COLUMNS + """
              from orth_run
             where retry_of = any(:ids)
             order by id
               for update
            """;

    private static final String ENDED_RETRIES = "select " + RunRepository.COLUMNS + """
              from orth_run_history
             where retry_of = any(:ids)
            """;

    private static final String KEEP_LATE = """
            update orth_run_history r
               set late_code = w.code, late_msg = w.message, late_at = now()
              from unnest(:ids, :codes, :messages) as w(id, code, message)
             where r.id = w.id
               and r.late_at is null
            """;

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;

    LateResults(JdbcClient jdbc, RunLifecycle lifecycle) {
        this.jdbc = jdbc;
        this.lifecycle = lifecycle;
    }

    /** Returns the runs whose result was new. */
    Set<Long> take(Collection<CallbackItem> results) {
        if (results.isEmpty()) {
            return Set.of();
        }
        Set<Long> lost = Set.copyOf(jdbc.sql(LOCK_LOST)
                .param("ids", SqlArrays.bigints(results, CallbackItem::logId))
                .query(Long.class)
                .list());
        return lost.isEmpty() ? Set.of() : settle(results, lost, lockRetriesOf(lost));
    }

    /** By the run they repeat. Looked for in this order, one that ends meanwhile is waited for and then found among those that are over. */
    private Map<Long, Run> lockRetriesOf(Set<Long> lost) {
        Map<Long, Run> retries = new HashMap<>();
        for (String statement : List.of(LOCK_OPEN_RETRIES, ENDED_RETRIES)) {
            jdbc.sql(statement)
                    .param("ids", SqlArrays.bigints(lost, id -> id))
                    .query(RunRepository.TO_RUN)
                    .list()
                    .forEach(retry -> retries.put(retry.lineage().retryOf(), retry));
        }
        return retries;
    }

    private Set<Long> settle(Collection<CallbackItem> results, Set<Long> lost, Map<Long, Run> retries) {
        List<RunMove> corrections = new ArrayList<>();
        List<RunMove> kept = new ArrayList<>();
        List<Run> notNeeded = new ArrayList<>();
        Set<Long> taken = new HashSet<>();
        for (CallbackItem result : results) {
            if (lost.contains(result.logId()) && taken.add(result.logId())) {
                RunMove move = RunMove.corrected(result);
                Run retry = retries.get(result.logId());
                (retry == null || isUnsent(retry) || isKilled(retry) ? corrections : kept).add(move);
                if (retry != null && isUnsent(retry) && result.handleCode() == Codes.SUCCESS) {
                    notNeeded.add(retry);
                }
            }
        }
        lifecycle.callOff(notNeeded);
        lifecycle.correctLost(corrections);
        if (!kept.isEmpty()) {
            keep(kept);
        }
        return taken;
    }

    private void keep(List<RunMove> results) {
        jdbc.sql(KEEP_LATE)
                .param("ids", SqlArrays.bigints(results, RunMove::id))
                .param("codes", SqlArrays.integers(results, RunMove::handleCode))
                .param("messages", SqlArrays.texts(results, RunMove::message))
                .update();
    }

    private static boolean isUnsent(Run retry) {
        return retry.status() == RunStatus.INIT && retry.executorId() == null;
    }

    /** Before it was sent to anyone. */
    private static boolean isKilled(Run retry) {
        return retry.status() == RunStatus.TRIGGER_FAILED && retry.cause() == RunCause.KILLED;
    }
}
