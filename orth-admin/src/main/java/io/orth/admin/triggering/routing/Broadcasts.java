package io.orth.admin.triggering.routing;

import io.orth.admin.job.RouteStrategy;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Expands a broadcast to one run per executor. */
@Component
public final class Broadcasts {

    private final Executors executors;

    public Broadcasts(Executors executors) {
        this.executors = executors;
    }

    /**
     * Returns one run per executor online now. Joins the caller's transaction, so the list of executors is current when the runs are
     * inserted. If no executor is online, returns one run, which waits for an executor like others.
     */
    public List<NewRun> expand(List<NewRun> wanted) {
        return expand(wanted, Function.identity(), (run, shard) -> shard);
    }

    /**
     * Like {@link #expand(List)}, for objects that contain a run; {@code withRun} returns the object for one shard. Reads the executors
     * once.
     */
    public <T> List<T> expand(List<T> wanted, Function<T, NewRun> runOf, BiFunction<T, NewRun, T> withRun) {
        Set<Integer> groups = wanted.stream()
                .map(runOf)
                .filter(Broadcasts::isBroadcast)
                .map(NewRun::groupId)
                .collect(Collectors.toSet());
        if (groups.isEmpty()) {
            return wanted;
        }
        Candidates candidates = new Candidates(executors.online(groups));
        List<T> expanded = new ArrayList<>();
        for (T each : wanted) {
            NewRun run = runOf.apply(each);
            List<Target> all =
                    isBroadcast(run) ? candidates.of(run.groupId(), run.route().addresses()) : List.of();
            if (all.isEmpty()) {
                expanded.add(each);
            } else {
                shards(run, all).forEach(shard -> expanded.add(withRun.apply(each, shard)));
            }
        }
        return expanded;
    }

    private static boolean isBroadcast(NewRun run) {
        return run.route().strategy() == RouteStrategy.SHARDING_BROADCAST
                && run.route().shard().equals(Shard.WHOLE);
    }

    private static List<NewRun> shards(NewRun run, List<Target> all) {
        List<NewRun> shards = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Shard shard = new Shard(i, all.size(), all.get(i).address());
            shards.add(run.withRoute(run.route().withShard(shard)));
        }
        return shards;
    }
}
