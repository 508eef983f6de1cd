package io.orth.admin.triggering;

import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSource;
import io.orth.admin.kernel.Fence;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
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
 * A run being dispatched.
 *
 * @param fence last intended executor and number of dispatches
 * @param tried executors that certainly do not have the run
 * @param reasons their responses, or why they could not be reached
 * @param refused whether an executor was reached and rejected the run
 * @param heldOff whether an executor was reached and currently starts no work at all
 */
record Send(Run run, Fence fence, Set<Long> tried, List<String> reasons, boolean refused, boolean heldOff) {

    static Send of(Run run) {
        return new Send(run, run.fence(), Set.of(), List.of(), false, false);
    }

    SendIntent intentFor(Target target) {
        return new SendIntent(run.id(), dispatch(), target.executorId(), target.address(), said("sent to", target));
    }

    /** Returns this send after another executor rejected the run. */
    Send refusedBy(Target target, String reason) {
        return triedAt(target, reason, at(target), true, heldOff);
    }

    /** Returns this send after another executor reported that it currently starts no work. */
    Send heldOffBy(Target target, String reason) {
        return triedAt(target, reason, at(target), refused, true);
    }

    /** Returns this send after another executor could not be reached. */
    Send notSentTo(Target target, String reason) {
        return triedAt(target, reason, at(target), refused, heldOff);
    }

    /** Returns this send without an intent for {@code target}, an executor that turned out not to respond. */
    Send withheldFrom(Target target) {
        return triedAt(target, target.address() + " does not answer", fence, refused, heldOff);
    }

    /** Returns this send after its intent for the last executor was withdrawn. */
    Send withdrawn() {
        return new Send(run, new Fence(null, fence.claimId()), tried, reasons, refused, heldOff);
    }

    private int dispatch() {
        return (int) fence.claimId();
    }

    /** Returns the fence of the run once its intent for {@code target} is committed. */
    private Fence at(Target target) {
        return new Fence(target.executorId(), fence.claimId() + 1);
    }

    private Send triedAt(Target target, String reason, Fence now, boolean nowRefused, boolean nowHeldOff) {
        Set<Long> nowTried = new HashSet<>(tried);
        nowTried.add(target.executorId());
        List<String> nowReasons = new ArrayList<>(reasons);
        nowReasons.add(reason);
        return new Send(run, now, nowTried, nowReasons, nowRefused, nowHeldOff);
    }

    /** Returns the record of a run that no executor accepts; {@code why} may be null if executors were tried. */
    Refusal asRefusal(String why) {
        if (reasons.isEmpty()) {
            return new Refusal(run.id(), fence, why);
        }
        String tries = "no executor took it: " + String.join("; ", reasons);
        return new Refusal(run.id(), fence, why == null ? tries : tries + "; " + why);
    }

    /** Returns the acceptance by {@code target}, with earlier failures in the message. */
    Acceptance acceptedBy(Target target) {
        return new Acceptance(run.id(), at(target), said("accepted by", target));
    }

    /** Returns the acceptance of a run that {@code target} may have. */
    Acceptance unconfirmedBy(Target target, String why) {
        return new Acceptance(
                run.id(),
                at(target),
                "%s gave no clear answer (%s); it may have it, so it is not sent again"
                        .formatted(target.address(), why));
    }

    private String said(String what, Target target) {
        List<String> before = reasons.isEmpty() ? whyItWaited() : reasons;
        String now = "%s %s".formatted(what, target.address());
        return before.isEmpty() ? now : "%s; before: %s".formatted(now, String.join("; ", before));
    }

    /** A run with a message but no executor was withdrawn earlier because no executor was available. */
    private List<String> whyItWaited() {
        return run.executorId() == null && run.triggerMsg() != null ? List.of(run.triggerMsg()) : List.of();
    }

    /** Returns the rejection of a run whose job is busy at {@code target} and whose block strategy forbids other executors. */
    Refusal discardedBy(Target target) {
        return new Refusal(
                run.id(),
                at(target),
                "%s did not take it: the job was busy there (block strategy DISCARD: no other executor was asked)"
                        .formatted(target.address()));
    }

    /** Returns false for retries, which fail instead: otherwise the failure they retry would be lost. */
    boolean maySkip() {
        return run.lineage().retryOf() == null;
    }

    /** Returns the rejection by {@code target}, which may mean that the job is busy there. */
    Refusal refusedFinallyBy(Target target, String reason) {
        return new Refusal(
                run.id(),
                at(target),
                "%s refused it: %s (block strategy DISCARD: no other executor was asked)"
                        .formatted(target.address(), reason));
    }

    /** Returns the rejection of a run whose source has been deleted. */
    Refusal withoutSource() {
        return new Refusal(
                run.id(), fence, "version %d of the job's source is not kept any more".formatted(run.sourceVersion()));
    }

    /** Returns whether any rejection by {@code target} is final: executors on the XXL-JOB wire have different texts for a busy job. */
    boolean isFinalAt(Target target) {
        return target.isForeign() && run.execution().blockOnExecutor() == BlockStrategy.DISCARD;
    }

    /** @param source null if the run names a handler */
    TriggerRequest requestFor(Target target, JobSource source) {
        Execution execution = run.execution();
        return TriggerRequest.of(run.jobId(), run.handler(), run.id(), run.logDateTime())
                .params(run.param())
                .blockStrategy(execution.blockOnExecutor())
                .concurrency(execution.concurrency())
                .timeoutSeconds(execution.timeoutSeconds())
                .glue(source == null ? Glue.NONE : glue(source))
                .scheduleTime(
                        run.scheduleTime() == null ? null : run.scheduleTime().toEpochMilli())
                .shard(run.route().shard().index(), run.route().shard().total())
                .instanceId(target.instanceId())
                .dispatch(dispatch() + 1)
                .attempt(run.lineage().attempt())
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
