package io.orth.admin.triggering;

import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSource;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Run;
import io.orth.admin.run.SendIntent;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.Glue;
import io.orth.protocol.TriggerRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A run on its way, and how often it has been sent.
 *
 * @param tried executors that surely do not have it
 * @param reasons what they said, or why they could not be reached
 * @param refused whether one of them could be reached and did not want it
 */
record Send(Run run, int dispatch, Set<Long> tried, List<String> reasons, boolean refused) {

    static Send of(Run run) {
        return new Send(run, run.dispatch(), Set.of(), List.of(), false);
    }

    SendIntent intentFor(Target target) {
        return new SendIntent(run.id(), dispatch, target.executorId(), target.address());
    }

    /** The same run after one more executor did not want it. */
    Send refusedBy(Target target, String reason) {
        return triedAt(target, reason, dispatch + 1, true);
    }

    /** The same run after one more executor could not be reached. */
    Send notSentTo(Target target, String reason) {
        return triedAt(target, reason, dispatch + 1, refused);
    }

    /** The same run, of which no intent was committed for an executor that proved not to answer. */
    Send withheldFrom(Target target) {
        return triedAt(target, target.address() + " does not answer", dispatch, refused);
    }

    private Send triedAt(Target target, String reason, int nowDispatch, boolean nowRefused) {
        Set<Long> nowTried = new HashSet<>(tried);
        nowTried.add(target.executorId());
        List<String> nowReasons = new ArrayList<>(reasons);
        nowReasons.add(reason);
        return new Send(run, nowDispatch, nowTried, nowReasons, nowRefused);
    }

    /** That nobody takes it. */
    Refusal asRefusal() {
        String why = reasons.isEmpty()
                ? "no executor of the group is online"
                : "no executor took it: " + String.join("; ", reasons);
        return new Refusal(run.id(), dispatch, why);
    }

    /** That its job is busy at {@code target}, where a job with this block strategy is not tried elsewhere. */
    Refusal discardedBy(Target target, String reason) {
        return new Refusal(
                run.id(),
                dispatch + 1,
                "%s refused it: %s (block strategy DISCARD: no other executor was asked)"
                        .formatted(target.address(), reason));
    }

    /** That what it was to run is gone. */
    Refusal withoutSource() {
        return new Refusal(
                run.id(),
                dispatch,
                "version %d of the job's source is not kept any more".formatted(run.sourceVersion()));
    }

    boolean isDiscardedWhereBusy() {
        return run.execution().block() == BlockStrategy.DISCARD;
    }

    /** {@code source} is null where the run names a handler. */
    TriggerRequest requestFor(Target target, JobSource source) {
        Execution execution = run.execution();
        return TriggerRequest.of(run.jobId(), run.handler(), run.id(), run.logDateTime())
                .params(run.param())
                .blockStrategy(execution.block())
                .concurrency(execution.concurrency())
                .timeoutSeconds(execution.timeoutSeconds())
                .glue(source == null ? Glue.NONE : glue(source))
                .scheduleTime(
                        run.scheduleTime() == null ? null : run.scheduleTime().toEpochMilli())
                .instanceId(target.instanceId())
                .dispatch(dispatch + 1)
                .traceId(run.traceId())
                .build();
    }

    private static Glue glue(JobSource source) {
        return new Glue(
                source.about().type().name(),
                source.text(),
                source.about().createdAt().toEpochMilli());
    }
}
