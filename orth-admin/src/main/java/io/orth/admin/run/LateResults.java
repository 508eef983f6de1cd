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
 * Records results of runs that were declared lost. Until the retry is dispatched, the first late result corrects the run, and a success
 * cancels the retry. Afterwards the result is only stored beside the run, and the retry's result counts.
 *
 * <p>Lock order: the lost run, then its retry. Dispatching the retry locks the retry too, so the two are serialized and the second sees
 * the first. Callers own the transaction.
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

    /**
     * Locks and returns the retries by the run they retry. Unfinished retries are read first: if one finishes meanwhile, the query waits
     * for its lock, and the second query then finds the retry in the history.
     */
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

    /** Returns whether the retry was killed before it was dispatched. */
    private static boolean isKilled(Run retry) {
        return retry.status() == RunStatus.TRIGGER_FAILED && retry.cause() == RunCause.KILLED;
    }
}
