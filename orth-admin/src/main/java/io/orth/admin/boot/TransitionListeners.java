package io.orth.admin.boot;

import io.orth.admin.alarm.FailedRuns;
import io.orth.admin.completion.Children;
import io.orth.admin.completion.Retries;
import io.orth.admin.completion.SkippedRuns;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.run.TurnSignal;
import io.orth.admin.scheduling.FixedDelays;
import java.util.List;
import org.springframework.context.annotation.Configuration;

/**
 * Listeners of status changes, called in this order in the transaction of the change, after it is journalled. When a run finishes, they
 * make jobs with a fixed delay due, retry the run or create a dead letter, trigger child jobs, list the run if it was skipped, let the next
 * run of its job proceed, and raise alarms.
 *
 * <p>Only runs have listeners. Other effects of a status change belong to the statement that makes the change or to the surrounding
 * transaction step: a listener would add a statement per batch to the hot path:
 *
 * <ul>
 *   <li>A message that fails its last attempt becomes a dead letter by {@code MessageMoves}: the statement that writes the status also
 *       moves the row to the dead letter table.
 *   <li>Counters are written once per step, as deltas: those of a queue by {@code MessageStep.end}, those of a stage, which are the
 *       progress of its pipeline run, by {@code TaskStep.end}.
 *   <li>When a message finishes, {@code MessageStep.end} calls {@code CarriedTasks.ended}, which finishes the attempt of the message's task
 *       and notifies the reconciler of the run after the commit. The row of a moved task does not name its run, so a listener would have to
 *       read it. The notification is only a wake-up: the reconciler finds the run without it.
 *   <li>The alarm about a failed pipeline run is part of the step that finishes the run ({@code RootPass.over}, in the same transaction).
 *       It names the failed stage and some of its tasks, which that step has counted already. A listener receives the status only.
 * </ul>
 */
@Configuration(proxyBeanMethods = false)
class TransitionListeners {

    TransitionListeners(
            StateChanges changes,
            FixedDelays fixedDelays,
            Retries retries,
            Children children,
            SkippedRuns skippedRuns,
            TurnSignal turnSignal,
            FailedRuns failedRuns) {
        changes.followedBy(List.of(fixedDelays, retries, children, skippedRuns, turnSignal, failedRuns));
    }
}
