package io.orth.admin.triggering;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.KillRequest;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.runtime.Duty;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills runs. The request is committed first, so that no node dispatches the runs any more. Then the executors are notified repeatedly
 * until each run is finished. A run is ended only by its executor's result, or if its executor does not have it. If the executor has
 * finished the run, the result it remembers is recorded unless the reported one is on its way.
 */
public final class RunKiller implements Duty {

    /** Maximum number of runs killed by one call. */
    public static final int MOST = 1_000;

    private static final Logger log = LoggerFactory.getLogger(RunKiller.class);
    private static final int BATCH = 500;
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** Outcome for a run to be killed. */
    public enum End {
        /** The run was already finished. */
        OVER,
        /** The run has ended. */
        ENDED,
        /** The run will end: its executor was notified, or will be as soon as it can be reached. */
        ENDING
    }

    /** @param message what is awaited, or how the run ended */
    public record Outcome(long runId, End end, RunStatus status, String message) {}

    private final Runs runs;
    private final RunKills kills;
    private final CallbackIntake callbacks;
    private final Executors executors;
    private final ExecutorGateway gateway;
    private final ForeignKiller foreign;
    private final Executor askers;
    private final Duration patience;
    /** Executors that have not been notified yet, or have not responded; the loop skips them. */
    private final Set<Long> beingTold = ConcurrentHashMap.newKeySet();

    RunKiller(
            Runs runs,
            RunKills kills,
            CallbackIntake callbacks,
            Executors executors,
            ExecutorGateway gateway,
            ForeignKiller foreign,
            Executor askers,
            Duration patience) {
        this.runs = runs;
        this.kills = kills;
        this.callbacks = callbacks;
        this.executors = executors;
        this.gateway = gateway;
        this.foreign = foreign;
        this.askers = askers;
        this.patience = patience;
    }

    /** Kills the unfinished runs of a job, at most {@link #MOST} of them. */
    public List<Outcome> killJob(int jobId, String by, String reason) throws InterruptedException {
        return kill(kills.openOf(jobId, MOST), by, reason);
    }

    /** Kills these runs. If one of them does not exist, throws and kills none. */
    public List<Outcome> kill(Collection<Long> runIds, String by, String reason) throws InterruptedException {
        List<Run> before = runs.list(runIds);
        Set<Long> known = Set.copyOf(Run.ids(before));
        for (Long id : runIds) {
            if (!known.contains(id)) {
                throw OrthException.notFound("run", id);
            }
        }
        Set<Long> open = before.stream()
                .filter(run -> !run.status().isTerminal())
                .map(Run::id)
                .collect(Collectors.toSet());
        Map<Long, String> answers = open.isEmpty() ? Map.of() : end(open, by, reason);
        return runs.list(runIds).stream()
                .map(run -> outcome(run, open.contains(run.id()), answers.get(run.id())))
                .toList();
    }

    private static Outcome outcome(Run run, boolean wasOpen, String answer) {
        if (!run.status().isTerminal()) {
            return new Outcome(
                    run.id(), End.ENDING, run.status(), answer == null ? "its executor is being told" : answer);
        }
        String message = run.handleMsg() == null ? run.triggerMsg() : run.handleMsg();
        return new Outcome(run.id(), wasOpen ? End.ENDED : End.OVER, run.status(), message);
    }

    private Map<Long, String> end(Set<Long> open, String by, String reason) throws InterruptedException {
        kills.request(open, by, reason, AGAIN);
        kills.endUnsent(open);
        Map<Long, String> answers = new ConcurrentHashMap<>();
        List<Run> left = runs.list(open).stream()
                .filter(run -> !run.status().isTerminal())
                .toList();
        // An executor that does not respond in time is notified again later; a notification that has not started is
        // cancelled.
        ExecutorTalk.awaitAll(tell(left, answers, false), patience, "ending runs");
        return answers;
    }

    /** Continues with runs that were not finished at the last attempt. */
    @Override
    public Pass run() {
        List<Run> due = kills.claimDue(BATCH, AGAIN);
        if (!due.isEmpty()) {
            kills.endUnsent(Run.ids(due));
            Set<Long> busy = new HashSet<>(beingTold);
            tell(due.stream().filter(run -> !busy.contains(run.executorId())).toList(), new ConcurrentHashMap<>(), true)
                    .forEach(telling -> telling.exceptionally(failure -> {
                        log.atWarn().setCause(failure).log("ending runs failed; they are seen to again");
                        return null;
                    }));
        }
        return Pass.after(due.size(), BATCH);
    }

    /**
     * Notifies each executor on threads of its own; stores the outcome of each run in {@code answers}.
     *
     * @param again whether the executors have been notified before
     */
    private List<CompletableFuture<Void>> tell(List<Run> wanted, Map<Long, String> answers, boolean again) {
        Map<Long, List<Run>> byExecutor =
                wanted.stream().filter(run -> run.executorId() != null).collect(Collectors.groupingBy(Run::executorId));
        Map<Long, List<Run>> ofNobody = new HashMap<>(byExecutor);
        List<CompletableFuture<Void>> tellings = new ArrayList<>();
        for (Target target : executors.targets(byExecutor.keySet())) {
            List<Run> its = ofNobody.remove(target.executorId());
            beingTold.add(target.executorId());
            try {
                tellings.add(CompletableFuture.runAsync(() -> tell(target, its, answers, again), askers)
                        .whenComplete((told, failure) -> beingTold.remove(target.executorId())));
            } catch (RejectedExecutionException e) {
                beingTold.remove(target.executorId());
                log.atWarn().addKeyValue("executor", target).log("no thread to tell an executor to end runs; later");
            }
        }
        ofNobody.values().forEach(its -> kills.endUnknown(Run.ids(its), "its executor is not known any more"));
        return tellings;
    }

    private void tell(Target target, List<Run> its, Map<Long, String> answers, boolean again) {
        try {
            if (target.isForeign()) {
                foreign.tell(target, its, answers);
                return;
            }
            for (Map.Entry<String, List<Run>> one : its.stream()
                    .collect(Collectors.groupingBy(RunKiller::words))
                    .entrySet()) {
                KnownRuns known = kill(target, new KillRequest(Run.ids(one.getValue()), one.getKey()));
                settle(target, one.getValue(), known, answers, again);
            }
        } catch (IOException e) {
            String problem = "the executor cannot be told now and will be told again: " + e.getMessage();
            its.forEach(run -> answers.put(run.id(), problem));
            kills.await(Run.ids(its), "%s could not be asked whether it has it".formatted(target.address()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records the kill with the runs before it is sent, so that a success caused by it is not mistaken for an earlier one. */
    private KnownRuns kill(Target target, KillRequest request) throws IOException, InterruptedException {
        Set<Long> firstSent = kills.sending(request.logIds());
        try {
            KnownRuns known = gateway.kill(target, request);
            Set<Long> notEnding = new HashSet<>(firstSent);
            known.runs().stream()
                    .filter(run -> run.state() != State.FINISHED)
                    .map(Known::logId)
                    .forEach(notEnding::remove);
            kills.notEnding(notEnding);
            return known;
        } catch (IOException e) {
            if (RequestRejectedException.isCertain(e)) {
                kills.notEnding(firstSent);
            }
            throw e;
        }
    }

    private void settle(Target target, List<Run> told, KnownRuns known, Map<Long, String> answers, boolean again) {
        Map<Long, Known> has =
                known.runs().stream().collect(Collectors.toMap(Known::logId, run -> run, (first, second) -> first));
        List<Long> unknown =
                Run.ids(told).stream().filter(id -> !has.containsKey(id)).toList();
        if (!unknown.isEmpty()) {
            kills.endUnknown(unknown, "%s does not have it".formatted(target.address()));
        }
        List<Run> finished = told.stream()
                .filter(run -> has.containsKey(run.id()) && has.get(run.id()).state() == State.FINISHED)
                .toList();
        if (!finished.isEmpty() && (again || known.unsentResults() == 0)) {
            callbacks.take(
                    target.groupId(),
                    finished.stream()
                            .map(run ->
                                    CallbackItem.remembered(has.get(run.id()), run.logDateTime(), target.instanceId()))
                            .toList());
        }
        told.forEach(run -> answers.put(run.id(), detail(target, has.get(run.id()))));
        log.atInfo()
                .addKeyValue("executor", target)
                .addKeyValue("ending", has.size() - finished.size())
                .addKeyValue("finished", finished.size())
                .addKeyValue("unknown", unknown.size())
                .log("told an executor to end runs");
    }

    /** @param known null if the executor does not know the run */
    private static String detail(Target target, Known known) {
        if (known == null) {
            return "it may be on its way to %s, which will be told again".formatted(target.address());
        }
        return known.state() == State.FINISHED
                ? "%s has finished it; its result is awaited".formatted(target.address())
                : "%s is ending it".formatted(target.address());
    }

    /** The request may be null if the run has been ended concurrently; the text then does not matter. */
    private static String words(Run run) {
        return run.kill() == null ? "killed" : run.kill().words();
    }
}
