package io.orth.admin.triggering;

import io.orth.admin.registry.HeldWork;
import io.orth.admin.registry.LostWorkDetector;
import io.orth.admin.registry.Target;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.RunLosses;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/** Runs as work held by executors. Lost results are recorded like callbacks. Not thread-safe. */
@Component
final class HeldRuns implements HeldWork<HeldRuns.HeldRun> {

    /** Maximum number of unfinished runs examined per round. */
    private static final int MAX_RUNS = 5_000;

    private static final long START = 0;

    record HeldRun(long executorId, long logId, Duration age) implements Held {}

    private final RunLosses losses;
    private final CallbackIntake callbacks;
    private final SystemLog systemLog;
    private long after = START;

    HeldRuns(RunLosses losses, CallbackIntake callbacks, SystemLog systemLog) {
        this.losses = losses;
        this.callbacks = callbacks;
        this.systemLog = systemLog;
    }

    @Override
    public String name() {
        return "runs";
    }

    @Override
    public List<HeldRun> next(Duration age) {
        RunLosses.Part part = losses.awaited(age, after, MAX_RUNS);
        after = part.next().orElse(START);
        return part.runs().stream()
                .map(run -> new HeldRun(run.executorId(), run.runId(), run.age()))
                .toList();
    }

    /**
     * The response does not say which results are undelivered. So either there must be none, or several rounds must pass. Few rounds are
     * enough for a finished run, whose remembered result is correct and at worst shorter than the reported one.
     */
    @Override
    public int responsesNeeded(KnownRuns response, Known known) {
        boolean mayBeUnsent = response.unsentResults() > 0;
        if (known == null) {
            return mayBeUnsent ? LostWorkDetector.PATIENT : 2;
        }
        return mayBeUnsent ? 3 : 1;
    }

    @Override
    public int finish(Target executor, List<Finished<HeldRun>> finished) {
        return callbacks
                .take(
                        executor.groupId(),
                        finished.stream()
                                .map(run -> CallbackItem.remembered(run.result(), 0, executor.instanceId()))
                                .toList())
                .recorded();
    }

    @Override
    public int lose(Target executor, List<HeldRun> without, Loss why) {
        int lost = losses.lose(
                        executor.executorId(),
                        without.stream().map(HeldRun::logId).toList(),
                        why.words())
                .size();
        if (lost > 0) {
            systemLog.warn("%d runs were failed: %s %s".formatted(lost, executor.address(), why.wordsOfMany()));
        }
        return lost;
    }
}
