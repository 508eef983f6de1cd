package io.orth.admin.run;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Takes results in. They are committed when {@link #take} returns, so only then may the executor be told to forget them.
 *
 * <p>A result counts only if its run was sent to the instance that says it ran it, in the group whose token was shown; from
 * an executor that speaks XXL-JOB's wire and cannot say so, if its run was sent to such a one.
 * Results that do not count (unknown, forged, repeated) are no reason to refuse the others, nor to make the executor send
 * them for ever.
 */
@Component
public class CallbackIntake {

    private static final Logger log = LoggerFactory.getLogger(CallbackIntake.class);

    private static final String OWNERS = """
            select r.id, r.status, r.group_id, r.kill_requested_at, r.kill_requested_by, r.kill_reason, e.instance_id,
                   e.kind = 'XXL_JOB' as nameless, %s as kill_sent
              from %s r
              left join orth_executor e on e.id = r.executor_id
             where r.id = any(:ids)
            """;

    private static final String OF_OPEN = OWNERS.formatted("r.kill_sent_at is not null", "orth_run");

    private static final String OF_ENDED = OWNERS.formatted("false", "orth_run_history");

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;
    private final LateResults late;
    private final Transactions transactions;

    public CallbackIntake(JdbcClient jdbc, StateChanges journal, Transactions transactions) {
        this.jdbc = jdbc;
        this.lifecycle = new RunLifecycle(new MoveRepository(jdbc), journal);
        this.late = new LateResults(new FollowUpRepository(jdbc), lifecycle);
        this.transactions = transactions;
    }

    /** What became of a batch of results. */
    public record Outcome(int recorded, int repeated, int unknown, int forged) {}

    /**
     * Whose a run is.
     *
     * @param accepted whether it is known that the executor took it
     * @param nameless the executor speaks XXL-JOB's wire, so its results name no instance
     * @param kill null unless an operator wants it ended
     */
    private record Owner(int groupId, boolean accepted, String instanceId, boolean nameless, KillOrder kill) {}

    public Outcome take(int group, List<CallbackItem> results) {
        return transactions.call(() -> record(group, results));
    }

    private Outcome record(int group, List<CallbackItem> results) {
        Map<Long, Owner> owners = ownersOf(results);
        List<CallbackItem> known = results.stream()
                .filter(result -> owners.containsKey(result.logId()))
                .toList();
        List<CallbackItem> genuine = known.stream()
                .filter(result -> isGenuine(result, owners.get(result.logId()), group))
                .toList();
        int recorded = genuine.isEmpty() ? 0 : finish(genuine, owners);
        Outcome outcome = new Outcome(
                recorded, genuine.size() - recorded, results.size() - known.size(), known.size() - genuine.size());
        if (outcome.unknown() + outcome.forged() > 0) {
            log.atWarn()
                    .addKeyValue("group", group)
                    .addKeyValue("outcome", outcome)
                    .log("results were not recorded");
        }
        return outcome;
    }

    private int finish(List<CallbackItem> genuine, Map<Long, Owner> owners) {
        List<Long> overtaken = genuine.stream()
                .map(CallbackItem::logId)
                .filter(id -> !owners.get(id).accepted())
                .toList();
        Set<Long> finished = lifecycle.finish(genuine, overtaken, killsOf(genuine, owners));
        List<CallbackItem> others = genuine.stream()
                .filter(result -> !finished.contains(result.logId()))
                .toList();
        return finished.size() + late.take(others).size();
    }

    /** A kill is noted before the executor is told, so a result that came of it finds it here. */
    private static Map<Long, KillOrder> killsOf(List<CallbackItem> results, Map<Long, Owner> owners) {
        Map<Long, KillOrder> kills = new HashMap<>();
        for (CallbackItem result : results) {
            KillOrder kill = owners.get(result.logId()).kill();
            if (kill != null) {
                kills.put(result.logId(), kill);
            }
        }
        return kills;
    }

    private Map<Long, Owner> ownersOf(List<CallbackItem> results) {
        Map<Long, Owner> owners = new HashMap<>();
        find(OF_OPEN, results, owners);
        List<CallbackItem> others = results.stream()
                .filter(result -> !owners.containsKey(result.logId()))
                .toList();
        if (!others.isEmpty()) {
            find(OF_ENDED, others, owners);
        }
        return owners;
    }

    private void find(String statement, List<CallbackItem> results, Map<Long, Owner> owners) {
        jdbc.sql(statement)
                .param("ids", SqlArrays.bigints(results, CallbackItem::logId))
                .query(row -> {
                    owners.put(
                            row.getLong("id"),
                            new Owner(
                                    row.getInt("group_id"),
                                    RunStatus.valueOf(row.getString("status")) != RunStatus.INIT,
                                    row.getString("instance_id"),
                                    row.getBoolean("nameless"),
                                    KillOrder.read(row)));
                });
    }

    private static boolean isGenuine(CallbackItem result, Owner owner, int group) {
        return owner.groupId() == group
                && owner.instanceId() != null
                && Objects.equals(owner.nameless() ? null : owner.instanceId(), result.instanceId())
                && result.handleCode() > Codes.NONE;
    }
}
