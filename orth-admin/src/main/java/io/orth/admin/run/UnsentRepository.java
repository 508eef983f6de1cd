package io.orth.admin.run;

import io.orth.admin.kernel.SqlArrays;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** SQL for runs whose dispatch reached no executor. Runs are joined as described in {@link RunRepository}. */
final class UnsentRepository {

    /** Withdraws intents that certainly reached no executor. */
    private static final String WITHDRAW = """
            update orth_run r
               set executor_id = null, address = null, trigger_msg = w.reason,
                   claim_until = least(r.claim_until, now() + make_interval(secs => :claim))
              from unnest(:ids, :dispatches, :reasons) as w(id, dispatch, reason)
             where r.id = any(array[w.id])
               and r.status = 'INIT'
               and r.dispatch = w.dispatch
            """;

    /**
     * Also adds up how long the runs have waited for an executor. Time in which no node looked, because all were down or had no database,
     * counts only up to {@code :gap}.
     */
    private static final String AWAIT_EXECUTOR = """
            update orth_run r
               set executor_id = null, address = null, trigger_msg = w.reason,
                   claim_until = least(r.claim_until, now() + make_interval(secs => :claim)),
                   executor_wait_ms = coalesce(r.executor_wait_ms, 0)
                       + case when w.counts and r.executor_wait_at is not null
                              then greatest(0, least(:gap, extract(epoch from now() - r.executor_wait_at) * 1000))::bigint
                              else 0 end,
                   executor_wait_at = now()
              from unnest(:ids, :dispatches, :reasons, :counts) as w(id, dispatch, reason, counts)
             where r.id = any(array[w.id])
               and r.status = 'INIT'
               and r.dispatch = w.dispatch
            returning r.id, r.executor_wait_ms
            """;

    private final JdbcClient jdbc;

    UnsentRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void withdraw(Collection<Refusal> unreachable, Duration claim) {
        takeBack(
                        WITHDRAW,
                        unreachable.stream()
                                .sorted(Comparator.comparingLong(Refusal::runId))
                                .toList(),
                        claim)
                .update();
    }

    /** Returns how long each of these runs has waited for an executor; runs dispatched meanwhile are omitted. */
    Map<Long, Duration> awaitExecutor(Collection<ExecutorWait> wanted, Duration claim, Duration maxGap) {
        List<ExecutorWait> waits = wanted.stream()
                .sorted(Comparator.comparingLong(wait -> wait.refusal().runId()))
                .toList();
        Map<Long, Duration> waited = new HashMap<>();
        takeBack(AWAIT_EXECUTOR, waits.stream().map(ExecutorWait::refusal).toList(), claim)
                .param("counts", SqlArrays.booleans(waits, ExecutorWait::counts))
                .param("gap", maxGap.toMillis())
                .query(row -> {
                    waited.put(row.getLong("id"), Duration.ofMillis(row.getLong("executor_wait_ms")));
                });
        return waited;
    }

    private StatementSpec takeBack(String statement, List<Refusal> refusals, Duration claim) {
        return jdbc.sql(statement)
                .param("ids", SqlArrays.bigints(refusals, Refusal::runId))
                .param(
                        "dispatches",
                        SqlArrays.bigints(refusals, refusal -> refusal.fence().claimId()))
                .param("reasons", SqlArrays.texts(refusals, refusal -> RunMove.storable(refusal.reason())))
                .param("claim", RunRepository.seconds(claim));
    }
}
