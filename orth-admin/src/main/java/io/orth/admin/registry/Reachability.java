package io.orth.admin.registry;

import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Executors that this node cannot reach although they send heartbeats. They get no runs from this node until they have answered a probe.
 * Each node decides for itself, because a network may be partitioned between some of them only.
 */
public final class Reachability implements Duty {

    private final Executors executors;
    private final Probe probe;
    private final ExecutorService probes;
    private final SystemLog log;
    private final Set<Long> unreachable = ConcurrentHashMap.newKeySet();
    /** Executors reported as unreachable in the system log. Accessed by the loop's thread only. */
    private final Map<Long, Target> told = new HashMap<>();

    private volatile Runnable wake = () -> {};

    public Reachability(Executors executors, Probe probe, ExecutorService probes, SystemLog log) {
        this.executors = executors;
        this.probe = probe;
        this.probes = probes;
        this.log = log;
    }

    /** Sets the callback that is called when another executor must be probed. */
    public void onFailure(Runnable loop) {
        this.wake = loop;
    }

    public boolean isReachable(Target target) {
        return !unreachable.contains(target.executorId());
    }

    /** Records that the executor could not be reached or gave no clear response. */
    public void failed(Target target) {
        if (unreachable.add(target.executorId())) {
            wake.run();
        }
    }

    /** Records that the executor responded to a request. */
    public void answered(Target target) {
        unreachable.remove(target.executorId());
    }

    /** Probes all unreachable executors that are still online. */
    @Override
    public Pass run() throws InterruptedException {
        List<Long> doubted = List.copyOf(unreachable);
        Map<Long, Target> online = (doubted.isEmpty() ? List.<Target>of() : executors.targets(doubted))
                .stream().filter(Target::online).collect(Collectors.toMap(Target::executorId, target -> target));
        List<Target> silent = withoutAnswer(List.copyOf(online.values()));
        Set<Long> still = silent.stream().map(Target::executorId).collect(Collectors.toSet());
        doubted.stream().filter(id -> !still.contains(id)).forEach(unreachable::remove);
        if (!still.isEmpty()) {
            executors.markUnreachable(still, true);
        }
        silent.forEach(this::tell);
        tellOfThoseThatAreBack();
        return Pass.DRAINED;
    }

    private List<Target> withoutAnswer(List<Target> targets) throws InterruptedException {
        List<Callable<Boolean>> questions = targets.stream()
                .map(target -> (Callable<Boolean>) () -> probe.answers(target))
                .toList();
        List<Future<Boolean>> answers = probes.invokeAll(questions);
        List<Target> silent = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            if (!isYes(answers.get(i))) {
                silent.add(targets.get(i));
            }
        }
        return silent;
    }

    private static boolean isYes(Future<Boolean> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException | CancellationException e) {
            return false;
        }
    }

    private void tell(Target target) {
        if (told.put(target.executorId(), target) == null) {
            log.publish(
                    LogLevel.WARN,
                    "executor at %s sends heartbeats but cannot be reached by this admin: it gets no runs from here until it can"
                            .formatted(target.address()),
                    target.instanceId(),
                    null);
        }
    }

    private void tellOfThoseThatAreBack() {
        List<Target> back = told.values().stream().filter(this::isReachable).toList();
        if (back.isEmpty()) {
            return;
        }
        executors.markUnreachable(back.stream().map(Target::executorId).toList(), false);
        back.forEach(target -> {
            told.remove(target.executorId());
            log.publish(
                    LogLevel.INFO,
                    "executor at %s can be reached again, or is gone".formatted(target.address()),
                    target.instanceId(),
                    null);
        });
    }
}
