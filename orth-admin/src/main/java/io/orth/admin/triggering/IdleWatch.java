package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.ForeignLosses.Place;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks executors that speak XXL-JOB's wire whether jobs are idle there whose runs have been awaited for long. One such answer may
 * fall between the end of a run and its result; two of them some time apart do not. Used by one thread.
 */
final class IdleWatch {

    private static final Logger log = LoggerFactory.getLogger(IdleWatch.class);
    private static final int PAGE = 500;
    private static final Duration PER_QUESTION = Duration.ofSeconds(3);
    private static final Duration PER_EXECUTOR = Duration.ofSeconds(15);

    private final ForeignLosses losses;
    private final Executors executors;
    private final ForeignGateway gateway;
    private final Executor askers;
    private final XxlJobProperties properties;
    private final Ticker ticker;
    /** Since when, in the ticker's time, each place has said that it is idle. */
    private final Map<Place, Long> idleSince = new HashMap<>();

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

    /** Asks where runs have been awaited for long; returns where that is in vain. */
    List<Place> look() throws InterruptedException {
        Set<Place> idle = new HashSet<>();
        Place last = Place.FIRST;
        List<Place> page;
        do {
            page = losses.awaited(properties.lostAfter(), last, PAGE);
            idle.addAll(idleOf(page));
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (page.size() == PAGE);
        idleSince.keySet().retainAll(idle);
        return inVain(idle);
    }

    private List<Place> inVain(Set<Place> idle) {
        long now = ticker.nanos();
        List<Place> inVain = new ArrayList<>();
        for (Place place : idle) {
            Long since = idleSince.putIfAbsent(place, now);
            if (since != null && now - since >= properties.idleGap().toNanos()) {
                inVain.add(place);
                idleSince.remove(place);
            }
        }
        return inVain;
    }

    private Set<Place> idleOf(List<Place> places) throws InterruptedException {
        Map<Long, List<Place>> byExecutor = places.stream().collect(Collectors.groupingBy(Place::executorId));
        Set<Place> idle = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> questions = new ArrayList<>();
        for (Target target : byExecutor.isEmpty() ? List.<Target>of() : executors.targets(byExecutor.keySet())) {
            List<Place> its = byExecutor.get(target.executorId());
            try {
                questions.add(CompletableFuture.runAsync(() -> ask(target, its, idle), askers));
            } catch (RejectedExecutionException e) {
                log.atDebug().addKeyValue("executor", target).log("no thread to ask an executor for idle jobs; later");
            }
        }
        awaitAll(questions);
        return Set.copyOf(idle);
    }

    /** One after the other: these executors answer with a single thread. */
    private void ask(Target target, List<Place> places, Set<Place> idle) {
        long deadline = ticker.nanos() + PER_EXECUTOR.toNanos();
        try {
            for (Place place : places) {
                if (ticker.nanos() - deadline > 0) {
                    return;
                }
                if (gateway.isIdle(target, place.jobId(), PER_QUESTION)) {
                    idle.add(place);
                }
            }
        } catch (IOException e) {
            log.atDebug().setCause(e).addKeyValue("executor", target).log("an executor does not say what is idle");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitAll(List<CompletableFuture<Void>> questions) throws InterruptedException {
        try {
            CompletableFuture.allOf(questions.toArray(CompletableFuture[]::new))
                    .get(PER_EXECUTOR.plus(PER_QUESTION).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.atDebug().log("an executor takes long to say what is idle");
            // Those whose turn has not come are asked at the next look; they are not to pile up.
            questions.forEach(question -> question.cancel(false));
        } catch (ExecutionException e) {
            log.atWarn().setCause(e.getCause()).log("asking for idle jobs failed; it is done again");
        }
    }
}
