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

    /** The job's id is part of it, or the first run of every job would go to the same executor. */
    static Router round(Turns turns) {
        return inOrder(run -> run.jobId() + turns.of(run), 1);
    }

    /** By the run's id, so that there is nothing to remember. */
    static Router random() {
        return inOrder(run -> Mix.of(run.id()), 1);
    }

    /** A shard that is tried again goes where it would have gone, as long as the others are still the same. */
    static Router byShard() {
        return inOrder(run -> run.route().shard().index(), 1);
    }

    /** The number says where in the list to begin; the next ones follow, around the end of the list if need be. */
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
     * Each pair of job and address has a weight, and the heaviest address wins. So a job stays where it is until that executor
     * leaves; then only its jobs move, and each to the next in its own order.
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

    /** By what each executor got of the job before. */
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

    /** Where one begins that has had nothing today: next, then level with the others, or it would get all until it has caught up. */
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

    /** Those that are busy with the job are left out. */
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

    /** The first that is fit; those in doubt come after those that are well. */
    private static Optional<Target> healthiest(
            Predicate<Target> isWell, List<Target> candidates, Predicate<Target> isFit) {
        List<Target> fit = candidates.stream().filter(isFit).toList();
        return fit.stream().filter(isWell).findFirst().or(() -> fit.stream().findFirst());
    }
}
