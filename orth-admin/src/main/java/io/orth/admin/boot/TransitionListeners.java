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
