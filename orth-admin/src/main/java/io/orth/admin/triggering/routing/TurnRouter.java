package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** ROUND, RANDOM and shards: a number says with whom to begin, the next ones follow in order. */
final class TurnRouter implements Router {

    private final ToLongFunction<Run> number;

    private TurnRouter(ToLongFunction<Run> number) {
        this.number = number;
    }

    /** The job's id is part of it, or the first run of every job would go to the same executor. */
    static TurnRouter round(Turns turns) {
        return new TurnRouter(run -> run.jobId() + turns.of(run));
    }

    /** By the run's id, so that there is nothing to remember. */
    static TurnRouter random() {
        return new TurnRouter(run -> Mix.of(run.id()));
    }

    /** A shard that is tried again goes where it would have gone, as long as the others are still the same. */
    static TurnRouter byShard() {
        return new TurnRouter(run -> run.route().shard().index());
    }

    @Override
    public Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried) {
        int size = candidates.size();
        int start = Math.floorMod(number.applyAsLong(run), size);
        for (int i = 0; i < size; i++) {
            Target candidate = candidates.get((start + i) % size);
            if (untried.test(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
