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

/** Chooses executors for runs, by the strategy of each. Used by one thread, but for {@link #failed} and {@link #answered}. */
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

    /** Executors that count as online and are in doubt because their heartbeats are late. */
    private Set<Long> quiet = Set.of();

    /** Which executors are busy with which jobs: by their unfinished runs, and by what this pass gives them. */
    private Set<BusyAt> busy = Set.of();

    private long flushedAt;

    /** {@code quietAfter} is how long an executor may be silent before others are preferred, where the strategy asks for that. */
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

    /** Reads what choosing for these runs takes: who is online now, and what the strategies among them go by. */
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

    /** {@code run} is one of those prepared for; {@code tried} has the ids of executors that did not take it. */
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

    /** A shard goes to the executor it was made for and to no other. */
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

    /** An executor could not be reached, or gave no clear answer. */
    public void failed(Target target) {
        reachability.failed(target);
    }

    /** An executor answered. */
    public void answered(Target target) {
        reachability.answered(target);
    }

    /**
     * Writes down now and then what ROUND, LFU and LRU remember. It is approximate, so where that fails it is dropped rather
     * than let it keep runs from being sent.
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

    /** Forgets executors that no run was given to for {@code age}; returns how many. Called by any thread. */
    public int prune(Duration age, int limit) {
        return uses.prune(age, limit);
    }
}
