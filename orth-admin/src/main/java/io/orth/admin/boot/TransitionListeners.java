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
 * The listeners of status changes, called in this order in the transaction that made the change, once it is journalled. A run that ends
 * makes jobs with a fixed delay due, is retried or becomes a dead letter, fires children, is listed if it was skipped, lets the
 * next run of its job have its turn, and raises alarms.
 *
 * <p>Only runs have listeners. What else follows from a status change belongs to the statement that makes it or to the step around
 * that statement, because as a listener it would cost a statement per batch that the hot path does not have today:
 *
 * <ul>
 *   <li>A message that fails for the last time becomes a dead letter by {@code MessageMoves}: its row moves to the table of dead letters in
 *       the statement that writes the status.
 *   <li>Counters are written once for each step, by how much they change: those of a queue by {@code MessageStep.end}, those of a stage,
 *       which are the progress of its pipeline run, by {@code TaskStep.end}.
 *   <li>The end of a message ends the attempt of the task that it carries: {@code MessageStep.end} calls {@code CarriedTasks.ended},
 *       which hints the run to the reconciler after the commit. The row of a task that moved does not name its run, so a
 *       listener would have to read it. The hint is a wake-up only: the reconciler finds the run without it.
 *   <li>The alarm about a failed pipeline run is part of the step that ends the run ({@code RootPass.over}, in the same transaction): it names
 *       the stage that failed and some of its tasks, which that step has counted already. A listener is told of the status only.
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
