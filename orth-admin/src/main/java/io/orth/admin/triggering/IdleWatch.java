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
 * Asks executors on the XXL-JOB wire whether jobs with long-awaited runs are idle there. A single positive response may fall between the
 * end of a run and its result; two of them some time apart cannot. An executor is considered lost if its address repeatedly rejects
 * connections, or accepts them without a valid response. Not thread-safe.
 */
final class IdleWatch {

    private static final Logger log = LoggerFactory.getLogger(IdleWatch.class);
    private static final int PAGE = 500;
    private static final Duration PER_QUESTION = Duration.ofSeconds(3);
    private static final Duration PER_EXECUTOR = Duration.ofSeconds(15);

    /** Maximum number of consecutive unanswered questions, on average at least {@code idleGap} apart. */
    private static final int MAX_UNANSWERED = 5;

    /** A place whose results will not arrive, with the reason in words. */
    record Loss(Place place, String why) {}

    /** Consecutive questions without a valid response, and the ticker's time of the first one. */
    private record Unanswered(int count, long sinceNanos) {}

    /** Findings of one pass; written by several threads. */
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
    /** Ticker time since which each place has reported that it is idle. */
    private final Map<Place, Long> idleSince = new HashMap<>();
    /** Unanswered questions by executor id. */
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

    /** Queries executors about long-awaited runs; returns the places where no result will arrive. */
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

    /** Returns the executors that have reached the maximum number of unanswered questions. */
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
        // Questions that have not started are repeated in the next pass; they must not accumulate.
        ExecutorTalk.awaitAll(questions, PER_EXECUTOR.plus(PER_QUESTION), "asking for idle jobs");
    }

    /** Sends the questions one after the other: these executors respond with a single thread. */
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
                // The cause may be this node's own network; other nodes may reach the executor.
                log.atDebug().setCause(e).addKeyValue("executor", target).log("an executor cannot be reached");
                return;
            }
            found.unanswered().add(target.executorId());
            log.atDebug().setCause(e).addKeyValue("executor", target).log("an executor does not say what is idle");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns whether not even the host responded. After a rejected connection the client retries on the same channel, which is closed by
     * then.
     */
    private static boolean isUnreachable(IOException e) {
        Throwable cause = e.getCause();
        return e instanceof HttpConnectTimeoutException
                || (e instanceof ConnectException && cause != null && !(cause instanceof ClosedChannelException));
    }
}
