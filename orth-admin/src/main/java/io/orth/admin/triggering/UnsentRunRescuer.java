package io.orth.admin.triggering;

import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.Runs;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRunsRequest;
import io.orth.runtime.Duty;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over undispatched runs that no node is dispatching any more: their node died, lost the database's response, or could not find out
 * whether the executor received them. Only the claim's age counts, not its holder.
 */
final class UnsentRunRescuer implements Duty {

    private static final Logger log = LoggerFactory.getLogger(UnsentRunRescuer.class);
    private static final int BATCH = 500;

    /** Minimum pause, so that due runs locked by another node are not polled in a tight loop. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(20);

    /** Pause while the dispatcher is full: claiming further runs would take time from dispatching. */
    private static final Duration REST_WHEN_FULL = Duration.ofMillis(500);

    private final Runs runs;
    private final Executors executors;
    private final ExecutorGateway gateway;
    private final TriggerDispatcher dispatcher;
    private final Lanes<Run> questions;
    private final Clock clock;
    private final TriggeringProperties properties;
    /** Accessed by the loop's thread only. */
    private long turnedAway;

    UnsentRunRescuer(
            Runs runs,
            Executors executors,
            ExecutorGateway gateway,
            TriggerDispatcher dispatcher,
            Executor askers,
            Clock clock,
            TriggeringProperties properties) {
        this.runs = runs;
        this.executors = executors;
        this.gateway = gateway;
        this.dispatcher = dispatcher;
        this.questions = new Lanes<>(askers, BATCH, properties.queueCapacity(), run -> 0, this::ask);
        this.clock = clock;
        this.properties = properties;
    }

    @Override
    public Pass run() {
        List<Run> stale = runs.claimUnsent(BATCH, properties.claim());
        dispatcher.submit(stale.stream().filter(run -> run.executorId() == null).toList());
        resolve(stale.stream().filter(run -> run.executorId() != null).collect(Collectors.groupingBy(Run::executorId)));
        if (stale.size() < BATCH) {
            return untilTheNext();
        }
        return isFull() ? Pass.nextAt(clock.instant().plus(REST_WHEN_FULL)) : Pass.MORE;
    }

    /** Returns whether runs have exceeded the dispatcher's capacity since the last call. */
    private boolean isFull() {
        long before = turnedAway;
        turnedAway = dispatcher.turnedAway();
        return turnedAway > before;
    }

    /** Schedules the next pass for the next due retry, so it is not delayed until the next poll. */
    private Pass untilTheNext() {
        Instant soonest = clock.instant().plus(SHORTEST_REST);
        return runs.nextUnsent()
                .map(next -> Pass.nextAt(next.isBefore(soonest) ? soonest : next))
                .orElse(Pass.DRAINED);
    }

    private void resolve(Map<Long, List<Run>> byExecutor) {
        if (byExecutor.isEmpty()) {
            return;
        }
        Map<Long, List<Run>> ofNobody = new HashMap<>(byExecutor);
        for (Target target : executors.targets(byExecutor.keySet())) {
            List<Run> intended = ofNobody.remove(target.executorId());
            if (target.isForeign()) {
                await(intended, "%s cannot be asked whether it has it, so it is not sent again", target);
                continue;
            }
            if (!questions.offer(target, intended)) {
                log.atWarn().addKeyValue("executor", target).log("no room to ask an executor about more runs; later");
            }
        }
        ofNobody.values().forEach(intended -> giveUp(intended, "its executor is not known any more"));
    }

    private void ask(Target target, List<Run> intended) {
        try {
            KnownRuns known = gateway.known(target, new KnownRunsRequest(Run.ids(intended)));
            settle(target, intended, known);
        } catch (IOException e) {
            giveUpWhereInVain(target, intended, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("executor", target)
                    .setCause(e)
                    .log("settling unsent runs failed; they are tried again");
        }
    }

    private void settle(Target target, List<Run> intended, KnownRuns known) {
        Set<Long> has = known.runs().stream().map(KnownRuns.Known::logId).collect(Collectors.toSet());
        List<Acceptance> confirmed = new ArrayList<>();
        List<Run> unknown = new ArrayList<>();
        for (Run run : intended) {
            if (has.contains(run.id())) {
                confirmed.add(Acceptance.of(run, "accepted by %s, as it said when asked".formatted(target.address())));
            } else {
                unknown.add(run);
            }
        }
        runs.accept(confirmed, RunCause.ACCEPTED);
        if (!unknown.isEmpty()) {
            dispatcher.sendAgain(target, unknown);
        }
        log.atInfo()
                .addKeyValue("executor", target)
                .addKeyValue("confirmed", confirmed.size())
                .addKeyValue("sentAgain", unknown.size())
                .log("settled unsent runs");
    }

    /**
     * Handles runs whose executor cannot be queried. If it is offline, it will never be known whether it had the runs: they become
     * awaited runs and will be declared lost. If it is online, it is queried again until {@code giveUpAfter}.
     */
    private void giveUpWhereInVain(Target target, List<Run> intended, String problem) {
        if (target.online()) {
            giveUp(intended.stream().filter(this::isOld).toList(), problem);
        } else {
            await(intended, "%s was gone before it could confirm", target);
        }
    }

    private void await(List<Run> intended, String why, Target target) {
        runs.accept(
                intended.stream()
                        .map(run -> Acceptance.of(run, why.formatted(target.address())))
                        .toList(),
                RunCause.UNCONFIRMED);
    }

    private boolean isOld(Run run) {
        return Duration.between(run.sendableSince(), clock.instant()).compareTo(properties.giveUpAfter()) > 0;
    }

    private void giveUp(List<Run> intended, String problem) {
        if (!intended.isEmpty()) {
            runs.giveUp(intended, problem);
            log.atWarn()
                    .addKeyValue("runs", intended.size())
                    .log("gave up on runs nobody can be asked about: {}", problem);
        }
    }
}
