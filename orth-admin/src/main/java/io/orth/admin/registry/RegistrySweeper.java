package io.orth.admin.registry;

import io.orth.admin.kernel.Liveness;
import io.orth.admin.registry.ExecutorRepository.Silent;
import io.orth.runtime.Duty;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Duty that declares executors dead if they are silent and do not answer a probe; later, if most of them are silent at the same time. */
final class RegistrySweeper implements Duty {

    private static final Logger log = LoggerFactory.getLogger(RegistrySweeper.class);
    private static final int BATCH = 32;

    private final Executors executors;
    private final Probe probe;
    private final ExecutorService probes;
    private final Liveness liveness;
    private final OutageGuard guard;

    /** Id after which the next pass continues, so that many silent executors that answer probes cannot hide one that does not. */
    private long after;

    /** {@code probes} must accept {@value #BATCH} tasks concurrently. */
    RegistrySweeper(Executors executors, Probe probe, ExecutorService probes, Liveness liveness, OutageGuard guard) {
        this.executors = executors;
        this.probe = probe;
        this.probes = probes;
        this.liveness = liveness;
        this.guard = guard;
    }

    @Override
    public Pass run() throws InterruptedException {
        if (!liveness.mayJudge()) {
            return Pass.DRAINED;
        }
        List<Silent> silent = executors.silent(ExecutorKind.ORTH, guard.requiredSilence(), after, BATCH);
        List<Silent> gone = withoutAnswer(silent);
        if (!gone.isEmpty() && liveness.mayJudge()) {
            int dead = executors.declareDead(gone);
            log.atWarn().addKeyValue("executors", dead).log("executors are gone: silent and not answering");
        }
        after = silent.size() < BATCH ? 0 : silent.get(BATCH - 1).target().executorId();
        return Pass.after(silent.size(), BATCH);
    }

    private List<Silent> withoutAnswer(List<Silent> silent) throws InterruptedException {
        List<Future<Boolean>> answers = new ArrayList<>();
        for (Silent one : silent) {
            answers.add(probes.submit(() -> probe.answers(one.target())));
        }
        List<Silent> gone = new ArrayList<>();
        for (int i = 0; i < silent.size(); i++) {
            if (!answered(answers.get(i))) {
                gone.add(silent.get(i));
            }
        }
        return gone;
    }

    private static boolean answered(Future<Boolean> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a probe failed for a reason of our own", e.getCause());
        }
    }
}
