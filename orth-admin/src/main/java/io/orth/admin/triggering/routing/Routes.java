package io.orth.admin.triggering.routing;

import io.orth.admin.job.RouteStrategy;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Reachability;
import io.orth.admin.registry.Target;
import io.orth.admin.run.BusyAt;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Chooses executors for runs by their route strategies. Not thread-safe, except for {@link #failed} and {@link #answered}. */
public final class Routes {

    private static final Logger log = LoggerFactory.getLogger(Routes.class);
    private static final long FLUSH_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Executors executors;
    private final Runs runs;
    private final Duration quietAfter;
    private final Ticker ticker;
    private final Turns turns;
    private final Uses uses;
    private final Reachability reachability;
    private final Map<RouteStrategy, Router> routers = new EnumMap<>(RouteStrategy.class);
    private Candidates candidates = new Candidates(Map.of());

    /** Online executors that are in doubt because their heartbeats are late. */
    private Set<Long> quiet = Set.of();

    /** Executors busy with jobs: by their unfinished runs, and by the choices of this pass. */
    private Set<BusyAt> busy = Set.of();

    private long flushedAt;

    /** @param quietAfter silence of an executor after which other executors are preferred, if the strategy asks for that */
    public Routes(
            Executors executors,
            Reachability reachability,
            Runs runs,
            JdbcClient jdbc,
            Clock clock,
            Ticker ticker,
            Duration quietAfter) {
        this.executors = executors;
        this.runs = runs;
        this.quietAfter = quietAfter;
        this.reachability = reachability;
        this.ticker = ticker;
        this.turns = new Turns(jdbc);
        this.uses = new Uses(jdbc, clock);
        this.flushedAt = ticker.nanos();
        routers.put(RouteStrategy.FIRST, Routers.first());
        routers.put(RouteStrategy.LAST, Routers.last());
        routers.put(RouteStrategy.ROUND, Routers.round(turns));
        routers.put(RouteStrategy.RANDOM, Routers.random());
        routers.put(RouteStrategy.CONSISTENT_HASH, Routers.consistentHash());
        routers.put(RouteStrategy.LFU, Routers.leastFrequent(uses));
        routers.put(RouteStrategy.LRU, Routers.leastRecent(uses));
        routers.put(RouteStrategy.FAILOVER, Routers.failover(this::isWell));
        routers.put(RouteStrategy.BUSYOVER, Routers.busyover(this::isWell, () -> busy));
        routers.put(RouteStrategy.SHARDING_BROADCAST, Routers.byShard());
    }

    /** Reads the data needed to choose for these runs: online executors and the state of the strategies involved. */
    public void prepare(Collection<Run> unsent) {
        candidates = new Candidates(executors.online(distinct(unsent, run -> true, Run::groupId)));
        turns.load(
                distinct(unsent, by(RouteStrategy.ROUND).and(run -> run.route().turn() == null), Run::jobId));
        uses.load(distinct(unsent, by(RouteStrategy.LFU, RouteStrategy.LRU), Run::jobId));
        Set<Integer> jobs = distinct(unsent, by(RouteStrategy.BUSYOVER), Run::jobId);
        busy = jobs.isEmpty() ? Set.of() : new HashSet<>(runs.busy(jobs));
        Set<Integer> groups = distinct(unsent, by(RouteStrategy.FAILOVER, RouteStrategy.BUSYOVER), Run::groupId);
        quiet = groups.isEmpty() ? Set.of() : executors.quiet(groups, quietAfter);
    }

    private boolean isWell(Target target) {
        return !quiet.contains(target.executorId());
    }

    private static Predicate<Run> by(RouteStrategy... strategies) {
        return run -> List.of(strategies).contains(run.route().strategy());
    }

    private static <T> Set<T> distinct(Collection<Run> runs, Predicate<Run> which, Function<Run, T> part) {
        return runs.stream().filter(which).map(part).collect(Collectors.toSet());
    }

    /**
     * Chooses the executor for one of the prepared runs.
     *
     * @param tried ids of executors that did not accept the run
     */
    public Choice choose(Run run, Set<Long> tried) {
        List<Target> mayTake = candidatesFor(run);
        if (mayTake.isEmpty()) {
            return Choice.nobody(whyNobody(run));
        }
        Predicate<Target> untried = target -> !tried.contains(target.executorId());
        return routers.get(run.route().strategy())
                .pick(run, mayTake, untried.and(reachability::isReachable))
                .map(Choice::of)
                .orElseGet(() -> noneOf(mayTake.stream().filter(untried).toList()));
    }

    private Choice noneOf(List<Target> untried) {
        if (untried.isEmpty()) {
            return Choice.unreachable(null);
        }
        return untried.stream().anyMatch(reachability::isReachable)
                ? Choice.nobody("every executor that may take it is busy with this job")
                : Choice.unreachable(untried.stream()
                        .map(Target::address)
                        .collect(Collectors.joining(
                                ", ", "executors send heartbeats but cannot be reached by this admin: ", "")));
    }

    /** A shard goes only to the executor it was created for. */
    private List<Target> candidatesFor(Run run) {
        String own = run.route().shard().address();
        return candidates.of(run.groupId(), own == null ? run.route().addresses() : List.of(own));
    }

    private static String whyNobody(Run run) {
        String own = run.route().shard().address();
        if (own != null) {
            return "the executor of this shard, %s, is not online".formatted(own);
        }
        List<String> addresses = run.route().addresses();
        return addresses.isEmpty()
                ? "no executor of the group is online"
                : "no executor of the group is online at the addresses of the job: " + String.join(", ", addresses);
    }

    /** Records that an executor could not be reached, or gave no clear response. */
    public void failed(Target target) {
        reachability.failed(target);
    }

    /** Records that an executor responded. */
    public void answered(Target target) {
        reachability.answered(target);
    }

    /**
     * Periodically stores the state of ROUND, LFU and LRU. The state is approximate, so it is dropped if storing fails, and dispatching
     * continues.
     */
    public void flush() {
        if (ticker.nanos() - flushedAt < FLUSH_EVERY_NANOS) {
            return;
        }
        flushedAt = ticker.nanos();
        try {
            turns.flush();
            uses.flush();
        } catch (RuntimeException e) {
            log.atWarn().setCause(e).log("whose turn it was is forgotten: writing it down failed");
        }
    }

    /** Deletes the state of executors that got no run for {@code age}; returns their number. Thread-safe. */
    public int prune(Duration age, int limit) {
        return uses.prune(age, limit);
    }
}
