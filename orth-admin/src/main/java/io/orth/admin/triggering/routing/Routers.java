package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.BusyAt;
import io.orth.admin.run.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** The route strategies. */
final class Routers {

    private Routers() {}

    static Router first() {
        return inOrder(run -> 0, 1);
    }

    static Router last() {
        return inOrder(run -> -1, -1);
    }

    /** Adds the job's id; otherwise the first run of every job would go to the same executor. */
    static Router round(Turns turns) {
        return inOrder(run -> run.jobId() + turns.of(run), 1);
    }

    /** Derives the choice from the run's id, so no state is needed. */
    static Router random() {
        return inOrder(run -> Mix.of(run.id()), 1);
    }

    /** A retried shard goes to the same executor as long as the list of executors is unchanged. */
    static Router byShard() {
        return inOrder(run -> run.route().shard().index(), 1);
    }

    /** {@code number} selects the start in the list; further candidates follow, wrapping around at the end. */
    private static Router inOrder(ToLongFunction<Run> number, int step) {
        return (run, candidates, untried) -> {
            int size = candidates.size();
            int start = Math.floorMod(number.applyAsLong(run), size);
            return IntStream.iterate(start, place -> Math.floorMod(place + step, size))
                    .limit(size)
                    .mapToObj(candidates::get)
                    .filter(untried)
                    .findFirst();
        };
    }

    /**
     * Each pair of job and address has a weight, and the highest weight wins (rendezvous hashing). A job stays on its executor until that
     * executor leaves; then only its jobs move, each to the next in its own order.
     */
    static Router consistentHash() {
        return (run, candidates, untried) -> candidates.stream()
                .filter(untried)
                .max(Comparator.comparingLong(candidate -> Mix.of(run.jobId(), candidate.address())));
    }

    static Router leastFrequent(Uses uses) {
        return leastUsed(uses, true);
    }

    static Router leastRecent(Uses uses) {
        return leastUsed(uses, false);
    }

    /** Chooses by the runs of the job that each executor has had. */
    private static Router leastUsed(Uses uses, boolean byCount) {
        return (run, candidates, untried) -> {
            int job = run.jobId();
            long newcomer = newcomer(uses, job, candidates);
            Comparator<Target> order = byCount
                    ? Comparator.comparingLong(
                            candidate -> uses.today(job, candidate.address()).orElse(newcomer))
                    : Comparator.comparing(candidate -> uses.last(job, candidate.address()));
            Optional<Target> picked = candidates.stream().filter(untried).min(order);
            picked.ifPresent(target -> uses.add(job, target.address(), newcomer));
            return picked;
        };
    }

    /**
     * Returns the initial count of an executor without runs today. It is chosen next and then counts like the others; starting from zero,
     * it would get all runs until it has caught up.
     */
    private static long newcomer(Uses uses, int job, List<Target> candidates) {
        long fewest = candidates.stream()
                .map(candidate -> uses.today(job, candidate.address()))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(1L);
        return fewest - 1;
    }

    static Router failover(Predicate<Target> isWell) {
        return (run, candidates, untried) -> healthiest(isWell, candidates, untried);
    }

    /** Skips executors that are busy with the job. */
    static Router busyover(Predicate<Target> isWell, Supplier<Set<BusyAt>> allBusy) {
        return (run, candidates, untried) -> {
            Set<BusyAt> busy = allBusy.get();
            Function<Target, BusyAt> withJob = target -> new BusyAt(run.jobId(), target.executorId());
            Optional<Target> picked =
                    healthiest(isWell, candidates, untried.and(target -> !busy.contains(withJob.apply(target))));
            picked.map(withJob).ifPresent(busy::add);
            return picked;
        };
    }

    /** Returns the first suitable candidate; healthy executors come before those in doubt. */
    private static Optional<Target> healthiest(
            Predicate<Target> isWell, List<Target> candidates, Predicate<Target> isFit) {
        List<Target> fit = candidates.stream().filter(isFit).toList();
        return fit.stream().filter(isWell).findFirst().or(() -> fit.stream().findFirst());
    }
}
