package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** LFU and LRU: by what each executor got of the job before. */
final class UseRouter implements Router {

    private final Uses uses;
    private final boolean byCount;

    private UseRouter(Uses uses, boolean byCount) {
        this.uses = uses;
        this.byCount = byCount;
    }

    static UseRouter leastFrequent(Uses uses) {
        return new UseRouter(uses, true);
    }

    static UseRouter leastRecent(Uses uses) {
        return new UseRouter(uses, false);
    }

    @Override
    public Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried) {
        int job = run.jobId();
        long newcomer = newcomer(job, candidates);
        Comparator<Target> order = byCount
                ? Comparator.comparingLong(
                        candidate -> uses.today(job, candidate.address()).orElse(newcomer))
                : Comparator.comparing(candidate -> uses.last(job, candidate.address()));
        Optional<Target> picked = candidates.stream().filter(untried).min(order);
        picked.ifPresent(target -> uses.add(job, target.address(), newcomer));
        return picked;
    }

    /** Where one begins that has had nothing today: next, then level with the others, or it would get all until it has caught up. */
    private long newcomer(int job, List<Target> candidates) {
        long fewest = candidates.stream()
                .map(candidate -> uses.today(job, candidate.address()))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(1L);
        return fewest - 1;
    }
}
