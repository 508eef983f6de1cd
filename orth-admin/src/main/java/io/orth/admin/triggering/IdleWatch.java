package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.ForeignLosses.Place;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
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
 * Asks executors that speak XXL-JOB's wire whether jobs are idle there whose runs have been awaited for long. One such answer may
 * fall between the end of a run and its result; two of them some time apart do not. An address that refuses connections, or accepts
 * them and does not answer the question, several times in a row does not have the executor any more. Used by one thread.
 */
final class IdleWatch {

    private static final Logger log = LoggerFactory.getLogger(IdleWatch.class);
    private static final int PAGE = 500;
    private static final Duration PER_QUESTION = Duration.ofSeconds(3);
    private static final Duration PER_EXECUTOR = Duration.ofSeconds(15);

    /** How often in a row a question may stay unanswered, at least {@code idleGap} apart on average. */
    private static final int MAX_UNANSWERED = 5;

    /** Where results will not come, and why in words. */
    record Loss(Place place, String why) {}

    /** Questions in a row without a proper response, and when the first of them was asked, in the ticker's time. */
    private record Unanswered(int count, long sinceNanos) {}

    /** What one look has found; filled by several threads. */
    private record Found(Set<Place> idle, Set<Long> answered, Set<Long> unanswered) {

        Found() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }
    }

    private final ForeignLosses losses;
    private final Executors executors;
    private final ForeignGateway gateway;
    private final Executor askers;
    private final XxlJobProperties properties;
    private final Ticker ticker;
    /** Since when, in the ticker's time, each place has said that it is idle. */
    private final Map<Place, Long> idleSince = new HashMap<>();
    /** By executor. */
    private final Map<Long, Unanswered> unanswered = new HashMap<>();

    IdleWatch(
            ForeignLosses losses,
            Executors executors,
            ForeignGateway gateway,
            Executor askers,
            XxlJobProperties properties,
            Ticker ticker) {
        this.losses = losses;
        this.executors = executors;
        this.gateway = gateway;
        this.askers = askers;
        this.properties = properties;
        this.ticker = ticker;
    }

    /** Asks where runs have been awaited for long; returns where no result will come. */
    List<Loss> look() throws InterruptedException {
        Found found = new Found();
        Set<Place> places = new HashSet<>();
        Place last = Place.FIRST;
        List<Place> page;
        do {
            page = losses.awaited(properties.lostAfter(), last, PAGE);
            places.addAll(page);
            ask(page, found);
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (page.size() == PAGE);
        List<Loss> lost = new ArrayList<>(lostWhereIdle(Set.copyOf(found.idle())));
        Set<Long> silent = silent(found);
        places.stream()
                .filter(place -> silent.contains(place.executorId()))
                .map(place -> new Loss(
                        place,
                        "its executor was asked %d times whether it runs job %d and gave no valid response"
                                .formatted(MAX_UNANSWERED, place.jobId())))
                .forEach(lost::add);
        return lost;
    }

    private List<Loss> lostWhereIdle(Set<Place> idle) {
        idleSince.keySet().retainAll(idle);
        long now = ticker.nanos();
        List<Loss> lost = new ArrayList<>();
        for (Place place : idle) {
            Long since = idleSince.putIfAbsent(place, now);
            if (since != null && now - since >= properties.idleGap().toNanos()) {
                lost.add(new Loss(
                        place, "its executor said twice that it does not run job %d".formatted(place.jobId())));
                idleSince.remove(place);
            }
        }
        return lost;
    }

    /** Executors that have left as many questions in a row unanswered as they may. */
    private Set<Long> silent(Found found) {
        long now = ticker.nanos();
        Set<Long> failed = new HashSet<>(found.unanswered());
        failed.removeAll(found.answered());
        unanswered.keySet().retainAll(failed);
        failed.forEach(id -> unanswered.merge(
                id, new Unanswered(1, now), (before, one) -> new Unanswered(before.count() + 1, before.sinceNanos())));
        long atLeast = properties.idleGap().multipliedBy(MAX_UNANSWERED - 1).toNanos();
        return unanswered.entrySet().stream()
                .filter(each -> each.getValue().count() >= MAX_UNANSWERED
                        && now - each.getValue().sinceNanos() >= atLeast)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void ask(List<Place> places, Found found) throws InterruptedException {
        Map<Long, List<Place>> byExecutor = places.stream().collect(Collectors.groupingBy(Place::executorId));
        List<CompletableFuture<Void>> questions = new ArrayList<>();
        for (Target target : byExecutor.isEmpty() ? List.<Target>of() : executors.targets(byExecutor.keySet())) {
            List<Place> its = byExecutor.get(target.executorId());
            try {
                questions.add(CompletableFuture.runAsync(() -> ask(target, its, found), askers));
            } catch (RejectedExecutionException e) {
                log.atDebug().addKeyValue("executor", target).log("no thread to ask an executor for idle jobs; later");
            }
        }
        // Those whose turn has not come are asked at the next look; they are not to pile up.
        ExecutorTalk.awaitAll(questions, PER_EXECUTOR.plus(PER_QUESTION), "asking for idle jobs");
    }

    /** One after the other: these executors answer with a single thread. */
    private void ask(Target target, List<Place> places, Found found) {
        long deadline = ticker.nanos() + PER_EXECUTOR.toNanos();
        try {
            for (Place place : places) {
                if (ticker.nanos() - deadline > 0) {
                    return;
                }
                if (gateway.isIdle(target, place.jobId(), PER_QUESTION)) {
                    found.idle().add(place);
                }
                found.answered().add(target.executorId());
            }
        } catch (IOException e) {
            if (isUnreachable(e)) {
                // May be this node's own network: other nodes may reach it.
                log.atDebug().setCause(e).addKeyValue("executor", target).log("an executor cannot be reached");
                return;
            }
            found.unanswered().add(target.executorId());
            log.atDebug().setCause(e).addKeyValue("executor", target).log("an executor does not say what is idle");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether not even the host has answered. When it has refused, the client tries again on the same channel, which is closed by then. */
    private static boolean isUnreachable(IOException e) {
        Throwable cause = e.getCause();
        return e instanceof HttpConnectTimeoutException
                || (e instanceof ConnectException && cause != null && !(cause instanceof ClosedChannelException));
    }
}
