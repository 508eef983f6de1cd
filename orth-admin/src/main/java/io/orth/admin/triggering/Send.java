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
 * A run on its way.
 *
 * @param fence the executor that it was last meant for, and how often it has been sent
 * @param tried executors that surely do not have it
 * @param reasons what they said, or why they could not be reached
 * @param refused whether one of them could be reached and did not want it
 * @param heldOff whether one of them could be reached and starts nothing for now, whatever it is
 */
record Send(Run run, Fence fence, Set<Long> tried, List<String> reasons, boolean refused, boolean heldOff) {

    static Send of(Run run) {
        return new Send(run, run.fence(), Set.of(), List.of(), false, false);
    }

    SendIntent intentFor(Target target) {
        return new SendIntent(run.id(), dispatch(), target.executorId(), target.address(), said("sent to", target));
    }

    /** The same run after one more executor did not want it. */
    Send refusedBy(Target target, String reason) {
        return triedAt(target, reason, at(target), true, heldOff);
    }

    /** The same run after one more executor said that it starts nothing for now. */
    Send heldOffBy(Target target, String reason) {
        return triedAt(target, reason, at(target), refused, true);
    }

    /** The same run after one more executor could not be reached. */
    Send notSentTo(Target target, String reason) {
        return triedAt(target, reason, at(target), refused, heldOff);
    }

    /** The same run, of which no intent was committed for an executor that proved not to answer. */
    Send withheldFrom(Target target) {
        return triedAt(target, target.address() + " does not answer", fence, refused, heldOff);
    }

    /** The same run after it was taken back from the executor that it was last meant for. */
    Send withdrawn() {
        return new Send(run, new Fence(null, fence.claimId()), tried, reasons, refused, heldOff);
    }

    private int dispatch() {
        return (int) fence.claimId();
    }

    /** What the run is under once its intent for {@code target} is committed. */
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

    /** That nobody takes it; {@code why} may be null where executors were tried. */
    Refusal asRefusal(String why) {
        if (reasons.isEmpty()) {
            return new Refusal(run.id(), fence, why);
        }
        String tries = "no executor took it: " + String.join("; ", reasons);
        return new Refusal(run.id(), fence, why == null ? tries : tries + "; " + why);
    }

    /** That {@code target} took it, and what happened before. */
    Acceptance acceptedBy(Target target) {
        return new Acceptance(run.id(), at(target), said("accepted by", target));
    }

    /** That {@code target} may have it. */
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

    /** A run that is meant for nobody yet, but has something to say, was taken back because nobody was there. */
    private List<String> whyItWaited() {
        return run.executorId() == null && run.triggerMsg() != null ? List.of(run.triggerMsg()) : List.of();
    }

    /** That its job is busy at {@code target}, where a job with this block strategy is not tried elsewhere. */
    Refusal discardedBy(Target target) {
        return new Refusal(
                run.id(),
                at(target),
                "%s did not take it: the job was busy there (block strategy DISCARD: no other executor was asked)"
                        .formatted(target.address()));
    }

    /** A retry is not skipped but fails: the failure that it repeats would be forgotten. */
    boolean maySkip() {
        return run.lineage().retryOf() == null;
    }

    /** That {@code target} refused it, which may have been its way of saying that the job is busy. */
    Refusal refusedFinallyBy(Target target, String reason) {
        return new Refusal(
                run.id(),
                at(target),
                "%s refused it: %s (block strategy DISCARD: no other executor was asked)"
                        .formatted(target.address(), reason));
    }

    /** That what it was to run is gone. */
    Refusal withoutSource() {
        return new Refusal(
                run.id(), fence, "version %d of the job's source is not kept any more".formatted(run.sourceVersion()));
    }

    /** Whether any refusal of {@code target} is final: other executors of XXL-JOB's wire say in words of their own that a job is busy. */
    boolean isFinalAt(Target target) {
        return target.isForeign() && run.execution().blockOnExecutor() == BlockStrategy.DISCARD;
    }

    /** {@code source} is null where the run names a handler. */
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
