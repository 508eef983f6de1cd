package io.orth.admin.triggering;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.ExecutorWait;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.SourceShelf.Loaded;
import io.orth.admin.triggering.routing.Choice;
import io.orth.admin.triggering.routing.Routes;
import io.orth.protocol.Codes;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply.Outcome;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches runs: to the executor chosen by the job's route strategy, and to the next one if that executor does not accept the run. */
final class TriggerDispatcher implements Duty {

    private static final Logger log = LoggerFactory.getLogger(TriggerDispatcher.class);
    private static final int ROUTED_AT_ONCE = 1_000;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** Age from which a run waits no longer for an executor that holds off or cannot be reached than for one that is offline. */
    private static final Duration MAX_HELD_OFF = Duration.ofHours(1);

    private final Runs runs;
    private final Routes routes;
    private final Gateways gateways;
    private final SourceShelf sources;
    private final Clock clock;
    private final TriggeringProperties properties;
    private final BlockingQueue<Send> incoming;
    private final Lanes<Send> lanes;
    private final AtomicLong turnedAway = new AtomicLong();
    private volatile Runnable waker = () -> {};

    TriggerDispatcher(
            Runs runs,
            Routes routes,
            Gateways gateways,
            SourceShelf sources,
            Executor senders,
            Clock clock,
            TriggeringProperties properties) {
        this.runs = runs;
        this.routes = routes;
        this.gateways = gateways;
        this.sources = sources;
        this.clock = clock;
        this.properties = properties;
        this.incoming = new ArrayBlockingQueue<>(properties.queueCapacity());
        this.lanes = new Lanes<>(
                senders,
                properties.batchSize(),
                properties.queueCapacity(),
                send -> send.run().param().length(),
                this::sendBatch);
    }

    /** A run for which no executor is left to try, and why. */
    private record Stranded(Send send, Choice choice) {

        Refusal refusal() {
            return send.asRefusal(choice.why());
        }

        /**
         * Returns whether the delay is not the run's fault: executors hold off work because no admin acknowledges their heartbeats, or
         * they cannot be reached.
         */
        boolean isHeldUp() {
            return send.heldOff() || choice.unreachable();
        }
    }

    /** Sets the callback for newly submitted runs. */
    void onIncoming(Runnable wake) {
        this.waker = wake;
    }

    /** Accepts runs that this node has claimed. Runs beyond the capacity are dispatched by any node once their claim has expired. */
    void submit(Collection<Run> unsent) {
        take(unsent.stream().map(Send::of).toList());
    }

    /** Sends the runs to the executor they were intended for, which has just reported that it does not have them. */
    void sendAgain(Target target, Collection<Run> unsent) {
        lanes.offer(target, unsent.stream().map(Send::of).toList());
    }

    /** Returns how often runs have exceeded the capacity. */
    long turnedAway() {
        return turnedAway.get();
    }

    private void take(List<Send> sends) {
        for (Send send : sends) {
            if (!incoming.offer(send)) {
                turnedAway.incrementAndGet();
                log.warn("more runs are waiting to be sent than this node keeps; the rest is taken up later");
                break;
            }
        }
        waker.run();
    }

    /** Routes submitted runs to the lanes of executors. */
    @Override
    public Pass run() {
        routes.flush();
        List<Send> batch = new ArrayList<>();
        incoming.drainTo(batch, ROUTED_AT_ONCE);
        if (!batch.isEmpty()) {
            route(batch);
        }
        return Pass.after(batch.size(), ROUTED_AT_ONCE);
    }

    private void route(List<Send> sends) {
        routes.prepare(sends.stream().map(Send::run).toList());
        Map<Target, List<Send>> byTarget = new HashMap<>();
        List<Stranded> stranded = new ArrayList<>();
        for (Send send : sends) {
            Choice choice = choose(send);
            if (choice.target() == null) {
                stranded.add(new Stranded(send, choice));
            } else {
                byTarget.computeIfAbsent(choice.target(), t -> new ArrayList<>())
                        .add(send);
            }
        }
        byTarget.forEach(this::hand);
        strand(stranded);
    }

    private Choice choose(Send send) {
        return send.tried().size() < properties.mostTries()
                ? routes.choose(send.run(), send.tried())
                : Choice.unreachable("no more than %d executors are tried".formatted(properties.mostTries()));
    }

    private void hand(Target target, List<Send> sends) {
        if (!lanes.offer(target, sends)) {
            turnedAway.incrementAndGet();
            log.atWarn().addKeyValue("executor", target).log("no room to send more runs; they are taken up later");
        }
    }

    /** Handles runs for which no executor is left to try: a run that was rejected fails; others wait for an executor. */
    private void strand(List<Stranded> stranded) {
        List<Refusal> refused = stranded.stream()
                .filter(one -> one.send().refused())
                .map(Stranded::refusal)
                .toList();
        List<ExecutorWait> waiting = stranded.stream()
                .filter(one -> !one.send().refused())
                .map(one -> new ExecutorWait(one.refusal(), counts(one)))
                .toList();
        runs.awaitExecutor(waiting, LOOK_AGAIN, properties.waitForExecutor());
        runs.refuse(refused);
    }

    private boolean counts(Stranded one) {
        Duration age = Duration.between(one.send().run().sendableSince(), clock.instant());
        return !one.isHeldUp() || age.compareTo(MAX_HELD_OFF) > 0;
    }

    /** Runs on a lane's thread: intent, send, record. Failed runs stay undispatched until their claim has expired. */
    private void sendBatch(Target target, List<Send> batch) {
        try {
            List<Loaded> loaded = sources.load(batch);
            refuseWithoutSource(loaded);
            List<Loaded> complete =
                    loaded.stream().filter(each -> !each.isWithoutItsSource()).toList();
            sendParts(target, gateways.to(target).parts(complete));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("executor", target)
                    .setCause(e)
                    .log("sending runs failed; they are taken up later");
        }
    }

    /** If the executor does not respond, the remaining parts go to other executors. */
    private void sendParts(Target target, List<List<Loaded>> parts) throws InterruptedException {
        for (int i = 0; i < parts.size(); i++) {
            if (!sendPart(target, parts.get(i))) {
                take(parts.subList(i + 1, parts.size()).stream()
                        .flatMap(List::stream)
                        .map(each -> each.send().withheldFrom(target))
                        .toList());
                return;
            }
        }
    }

    private void refuseWithoutSource(List<Loaded> loaded) {
        runs.refuse(loaded.stream()
                .filter(Loaded::isWithoutItsSource)
                .map(each -> each.send().withoutSource())
                .toList());
    }

    /** Returns whether the executor responded. */
    private boolean sendPart(Target target, List<Loaded> part) throws InterruptedException {
        Set<Long> mine = runs.intend(
                part.stream().map(each -> each.send().intentFor(target)).toList(), properties.claim());
        List<Loaded> sends = part.stream()
                .filter(each -> mine.contains(each.send().run().id()))
                .toList();
        FaultPoints.reach(FaultPoints.DISPATCH_AFTER_INTENT);
        if (sends.isEmpty()) {
            return true;
        }
        TriggerBatch triggers = new TriggerBatch(sends.stream()
                .map(each -> each.send().requestFor(target, each.source()))
                .toList());
        SendResult result = gateways.to(target).send(target, triggers);
        FaultPoints.reach(FaultPoints.DISPATCH_AFTER_SEND);
        record(target, sends.stream().map(Loaded::send).toList(), result);
        return result.isAnswer();
    }

    private void record(Target target, List<Send> sends, SendResult result) {
        if (result instanceof SendResult.Answered answered) {
            routes.answered(target);
            recordAnswers(target, sends, answered.outcomes());
        } else if (result instanceof SendResult.OneByOne oneByOne) {
            if (oneByOne.isAnswer()) {
                routes.answered(target);
            } else {
                routes.failed(target);
            }
            recordAnswers(target, sends, oneByOne.answered());
            recordUnclear(target, sends, oneByOne.unclear());
        } else if (result instanceof SendResult.NotSent notSent) {
            routes.failed(target);
            take(sends.stream()
                    .map(send -> send.notSentTo(target, notSent.reason()))
                    .toList());
        } else if (result instanceof SendResult.Unclear unclear) {
            routes.failed(target);
            log.atWarn().addKeyValue("runs", sends.size()).log("{}; it will be asked", unclear.reason());
            runs.shortenClaim(sends.stream().map(send -> send.run().id()).toList(), LOOK_AGAIN);
        }
    }

    /** Unclear runs are never sent again: their results are awaited. */
    private void recordUnclear(Target target, List<Send> sends, Map<Long, String> unclear) {
        runs.accept(
                sends.stream()
                        .filter(send -> unclear.containsKey(send.run().id()))
                        .map(send -> send.unconfirmedBy(
                                target, unclear.get(send.run().id())))
                        .toList(),
                RunCause.UNCONFIRMED);
    }

    /** A run without outcome stays undispatched; the executor is queried about it later. */
    private void recordAnswers(Target target, List<Send> sends, List<Outcome> outcomes) {
        Map<Long, Outcome> byRun = outcomes.stream()
                .collect(Collectors.toMap(Outcome::logId, Function.identity(), (first, second) -> first));
        List<Acceptance> accepted = new ArrayList<>();
        List<Refusal> skipped = new ArrayList<>();
        List<Refusal> failed = new ArrayList<>();
        List<Send> refused = new ArrayList<>();
        for (Send send : sends) {
            Outcome outcome = byRun.get(send.run().id());
            if (outcome == null) {
                continue;
            }
            String reason = "%s: %s".formatted(target.address(), outcome.msg());
            // For an executor on the XXL-JOB wire, UNAVAILABLE means that it could not be reached.
            switch (outcome.code()) {
                case Codes.SUCCESS -> accepted.add(send.acceptedBy(target));
                case Codes.BUSY -> (send.maySkip() ? skipped : failed).add(send.discardedBy(target));
                case Codes.UNAVAILABLE ->
                    refused.add(target.isForeign() ? send.notSentTo(target, reason) : send.heldOffBy(target, reason));
                default -> {
                    if (send.isFinalAt(target)) {
                        failed.add(send.refusedFinallyBy(target, outcome.msg()));
                    } else {
                        refused.add(send.refusedBy(target, reason));
                    }
                }
            }
        }
        runs.accept(accepted, RunCause.ACCEPTED);
        runs.skip(skipped);
        runs.refuse(failed);
        if (!refused.isEmpty()) {
            if (target.isForeign()) {
                // The executor cannot be queried later, so record now that it does not have the runs.
                runs.withdraw(refused.stream().map(send -> send.asRefusal(null)).toList(), properties.claim());
                take(refused.stream().map(Send::withdrawn).toList());
            } else {
                take(refused);
            }
        }
    }
}
