package io.orth.admin.run;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Results of runs that had been judged lost. As long as nobody else has been given the work, the verdict is corrected, once,
 * and a success calls off the waiting retry. After that the result is only kept beside the run: its retry speaks for the work.
 *
 * <p>The lost run's row is locked first, then its retry's; whoever sends the retry locks the latter too, so one of the two comes
 * first and the other sees it. Callers own the transaction.
 */
final class LateResults {

    private final FollowUpRepository followUps;
    private final RunLifecycle lifecycle;

    LateResults(FollowUpRepository followUps, RunLifecycle lifecycle) {
        this.followUps = followUps;
        this.lifecycle = lifecycle;
    }

    /** Returns the runs whose result was new. */
    Set<Long> take(Collection<CallbackItem> results) {
        if (results.isEmpty()) {
            return Set.of();
        }
        Set<Long> lost = Set.copyOf(
                followUps.lockLost(results.stream().map(CallbackItem::logId).toList()));
        if (lost.isEmpty()) {
            return Set.of();
        }
        Map<Long, Run> retries = followUps.lockRetriesOf(lost).stream()
                .collect(Collectors.toMap(run -> run.lineage().retryOf(), Function.identity()));
        return settle(results, lost, retries);
    }

    private Set<Long> settle(Collection<CallbackItem> results, Set<Long> lost, Map<Long, Run> retries) {
        List<RunMove> corrections = new ArrayList<>();
        List<RunMove> kept = new ArrayList<>();
        List<Run> notNeeded = new ArrayList<>();
        Set<Long> taken = new HashSet<>();
        for (CallbackItem result : results) {
            if (lost.contains(result.logId()) && taken.add(result.logId())) {
                RunMove move = RunMove.corrected(result.logId(), result.handleCode(), result.handleMsg());
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
            followUps.keepLate(kept);
        }
        return taken;
    }

    private static boolean isUnsent(Run retry) {
        return retry.status() == RunStatus.INIT && retry.executorId() == null;
    }

    /** Before it was sent to anyone. */
    private static boolean isKilled(Run retry) {
        return retry.status() == RunStatus.TRIGGER_FAILED && retry.cause() == RunCause.KILLED;
    }
}
