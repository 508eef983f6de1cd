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
 * @param heldOff whether one of them could be reached and starts nothing for now, whatever it is
 */
record Send(Run run, int dispatch, Set<Long> tried, List<String> reasons, boolean refused, boolean heldOff) {

    static Send of(Run run) {
        return new Send(run, run.dispatch(), Set.of(), List.of(), false, false);
    }

    SendIntent intentFor(Target target) {
        return new SendIntent(run.id(), dispatch, target.executorId(), target.address(), said("sent to", target));
    }

    /** The same run after one more executor did not want it. */
    Send refusedBy(Target target, String reason) {
        return triedAt(target, reason, dispatch + 1, true, heldOff);
    }

    /** The same run after one more executor said that it starts nothing for now. */
    Send heldOffBy(Target target, String reason) {
        return triedAt(target, reason, dispatch + 1, refused, true);
    }

    /** The same run after one more executor could not be reached. */
    Send notSentTo(Target target, String reason) {
        return triedAt(target, reason, dispatch + 1, refused, heldOff);
    }

    /** The same run, of which no intent was committed for an executor that proved not to answer. */
    Send withheldFrom(Target target) {
        return triedAt(target, target.address() + " does not answer", dispatch, refused, heldOff);
    }

    private Send triedAt(Target target, String reason, int nowDispatch, boolean nowRefused, boolean nowHeldOff) {
        Set<Long> nowTried = new HashSet<>(tried);
        nowTried.add(target.executorId());
        List<String> nowReasons = new ArrayList<>(reasons);
        nowReasons.add(reason);
        return new Send(run, nowDispatch, nowTried, nowReasons, nowRefused, nowHeldOff);
    }

    /** That nobody takes it; {@code why} may be null where executors were tried. */
    Refusal asRefusal(String why) {
        if (reasons.isEmpty()) {
            return new Refusal(run.id(), dispatch, why);
        }
        String tries = "no executor took it: " + String.join("; ", reasons);
        return new Refusal(run.id(), dispatch, why == null ? tries : tries + "; " + why);
    }

    /** That {@code target} took it, and what happened before. */
    String acceptedBy(Target target) {
        return said("accepted by", target);
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
                dispatch + 1,
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
                .dispatch(dispatch + 1)
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
