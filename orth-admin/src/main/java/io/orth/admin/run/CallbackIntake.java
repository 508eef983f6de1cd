package io.orth.admin.run;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Records results. They are committed when {@link #take} or {@link #recordAll} returns; only then may the executor delete them.
 *
 * <p>A result counts only if its run was dispatched to the reporting instance, in the group whose token was shown. An executor on the
 * XXL-JOB wire cannot name its instance; its result counts if the run was dispatched to an executor of that kind. Results that do not
 * count (unknown, forged, repeated) do not cause the others to be rejected or resent.
 */
@Component
public class CallbackIntake {

    private static final Logger log = LoggerFactory.getLogger(CallbackIntake.class);

    private static final String OWNERS = """
            select r.id, r.status, r.group_id, r.kill_requested_at, r.kill_requested_by, r.kill_reason, e.instance_id, r.executor_id, r.dispatch,
                   e.kind = 'XXL_JOB' as nameless, %s as kill_sent
              from %s r
              left join orth_executor e on e.id = r.executor_id
             where r.id = any(:ids)
            """;

    private static final String OF_OPEN = OWNERS.formatted("r.kill_sent_at is not null", "orth_run");

    private static final String OF_ENDED = OWNERS.formatted("false", "orth_run_history");

    /** Locks all rows of the results first, in the order that {@link RunLifecycle#finish} uses. */
    private static final String REQUEST = """
            with locked as materialized (select id from orth_run where id = any(:all) order by id for update)
            update orth_run r
               set non_retryable = w.non_retryable, retry_after_ms = w.retry_after_ms
              from unnest(:ids, :executors, :dispatches, :nonRetryable, :retryAfter)
                as w(id, executor_id, dispatch, non_retryable, retry_after_ms)
              join locked on locked.id = w.id
             where r.id = w.id
               and r.executor_id = w.executor_id
               and r.dispatch = w.dispatch
            """;

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;
    private final LateResults late;
    private final Transactions transactions;

    public CallbackIntake(JdbcClient jdbc, StateChanges changes, Transactions transactions) {
        this.jdbc = jdbc;
        this.lifecycle = new RunLifecycle(jdbc, changes);
        this.late = new LateResults(jdbc, lifecycle);
        this.transactions = transactions;
    }

    /** Counts of a recorded batch. */
    public record Outcome(int recorded, int repeated, int unknown, int forged) {

        static Outcome of(Collection<Verdict> verdicts) {
            return new Outcome(
                    Collections.frequency(verdicts, Verdict.RECORDED),
                    Collections.frequency(verdicts, Verdict.REPEATED),
                    Collections.frequency(verdicts, Verdict.UNKNOWN),
                    Collections.frequency(verdicts, Verdict.FORGED));
        }
    }

    /** Outcome of one result. */
    enum Verdict {
        RECORDED,
        REPEATED,
        UNKNOWN,
        FORGED
    }

    /** A result and the group whose token was shown with it. */
    record Received(int group, CallbackItem result) {

        long id() {
            return result.logId();
        }
    }

    /**
     * Ownership of a run.
     *
     * @param open whether the run is unfinished
     * @param accepted whether it is known that the executor accepted the run
     * @param instanceId null if the run was not dispatched; {@code nameless} if the executor uses the XXL-JOB wire, so its results name
     *     no instance
     * @param kill null unless an operator requested a kill
     * @param killSent whether the kill was sent to the executor and the executor did not deny running the run
     * @param fence executor and dispatch under which the run is
     */
    private record Owner(
            int groupId,
            boolean open,
            boolean accepted,
            String instanceId,
            boolean nameless,
            Run.Kill kill,
            boolean killSent,
            Fence fence) {

        boolean isReporting(Received received) {
            return groupId == received.group()
                    && instanceId != null
                    && Objects.equals(
                            nameless ? null : instanceId, received.result().instanceId())
                    && received.result().handleCode() > Codes.NONE;
        }
    }

    /** Records results of one group in one transaction. */
    public Outcome take(int group, List<CallbackItem> results) {
        Outcome outcome = Outcome.of(recordAll(
                results.stream().map(result -> new Received(group, result)).toList()));
        report(group, outcome);
        return outcome;
    }

    static void report(int group, Outcome outcome) {
        if (outcome.unknown() + outcome.forged() > 0) {
            log.atWarn()
                    .addKeyValue("group", group)
                    .addKeyValue("outcome", outcome)
                    .log("results were not recorded");
        }
    }

    /** Records results of several groups in one transaction; returns their outcomes in the same order. */
    List<Verdict> recordAll(List<Received> results) {
        return transactions.call(() -> record(results));
    }

    private List<Verdict> record(List<Received> received) {
        Map<Long, Owner> owners = ownersOf(received);
        Set<Long> recorded = finish(received, owners);
        List<Received> changed = received.stream()
                .filter(each ->
                        isGenuine(each, owners) && owners.get(each.id()).open() && !recorded.contains(each.id()))
                .toList();
        if (!changed.isEmpty()) {
            // Another transaction changed the run after its owner was read: the run was dispatched again, possibly to
            // the same executor, or has finished. Its row is locked now, so a second read is stable.
            owners.putAll(ownersOf(changed));
            recorded.addAll(finish(changed, owners));
        }
        Set<Long> counted = new HashSet<>();
        return received.stream()
                .map(each -> {
                    if (!owners.containsKey(each.id())) {
                        return Verdict.UNKNOWN;
                    }
                    if (!isGenuine(each, owners)) {
                        return Verdict.FORGED;
                    }
                    return recorded.contains(each.id()) && counted.add(each.id()) ? Verdict.RECORDED : Verdict.REPEATED;
                })
                .toList();
    }

    private static boolean isGenuine(Received received, Map<Long, Owner> owners) {
        Owner owner = owners.get(received.id());
        return owner != null && owner.isReporting(received);
    }

    /** Returns the runs whose result was new. A kill is recorded before it is sent to the executor, so a result caused by it finds it. */
    private Set<Long> finish(List<Received> received, Map<Long, Owner> owners) {
        List<Report> genuine = received.stream()
                .filter(each -> isGenuine(each, owners))
                .map(each -> {
                    Owner owner = owners.get(each.id());
                    return new Report(each.result(), owner.accepted(), owner.kill(), owner.killSent(), owner.fence());
                })
                .toList();
        noteRequests(genuine);
        Set<Long> finished = lifecycle.finish(genuine);
        Set<Long> recorded = new HashSet<>(finished);
        recorded.addAll(late.take(genuine.stream()
                .map(Report::result)
                .filter(result -> !finished.contains(result.logId()))
                .toList()));
        return recorded;
    }

    /** Stores the handlers' requests for the next attempt; the retry uses them. */
    private void noteRequests(List<Report> reports) {
        List<Report> requests = reports.stream()
                .filter(report ->
                        report.result().nonRetryable() || report.result().retryAfterMillis() != null)
                .toList();
        if (requests.isEmpty()) {
            return;
        }
        jdbc.sql(REQUEST)
                .param("all", SqlArrays.bigints(reports, Report::runId))
                .param("ids", SqlArrays.bigints(requests, Report::runId))
                .param(
                        "executors",
                        SqlArrays.bigints(requests, report -> report.fence().executorId()))
                .param(
                        "dispatches",
                        SqlArrays.bigints(requests, report -> report.fence().claimId()))
                .param(
                        "nonRetryable",
                        SqlArrays.booleans(requests, report -> report.result().nonRetryable()))
                .param(
                        "retryAfter",
                        SqlArrays.bigints(requests, report -> report.result().retryAfterMillis()))
                .update();
    }

    private Map<Long, Owner> ownersOf(List<Received> results) {
        Map<Long, Owner> owners = new HashMap<>();
        find(OF_OPEN, true, results, owners);
        List<Received> others = results.stream()
                .filter(result -> !owners.containsKey(result.id()))
                .toList();
        if (!others.isEmpty()) {
            find(OF_ENDED, false, others, owners);
        }
        return owners;
    }

    private void find(String statement, boolean open, List<Received> results, Map<Long, Owner> owners) {
        jdbc.sql(statement)
                .param("ids", SqlArrays.bigints(results, Received::id))
                .query(row -> {
                    owners.put(
                            row.getLong("id"),
                            new Owner(
                                    row.getInt("group_id"),
                                    open,
                                    RunStatus.valueOf(row.getString("status")) != RunStatus.INIT,
                                    row.getString("instance_id"),
                                    row.getBoolean("nameless"),
                                    RunKills.read(row),
                                    row.getBoolean("kill_sent"),
                                    new Fence(SqlRows.longOrNull(row, "executor_id"), row.getInt("dispatch"))));
                });
    }
}
