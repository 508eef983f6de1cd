package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes the executors of a group in turn. Used by one thread. */
final class Rotation {

    private final Map<Integer, Integer> turns = new HashMap<>();

    Target pick(int group, List<Target> candidates) {
        int turn = turns.merge(group, 1, (before, one) -> before == Integer.MAX_VALUE ? 0 : before + one);
        return candidates.get(turn % candidates.size());
    }
}
