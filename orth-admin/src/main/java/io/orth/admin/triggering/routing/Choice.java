package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;

/**
 * Executor chosen for a run.
 *
 * @param target null if no executor is left to try
 * @param why why there is none; null if all were tried
 * @param unreachable whether there are executors for the run, but none of the remaining ones can be reached by this admin
 */
public record Choice(Target target, String why, boolean unreachable) {

    static Choice of(Target target) {
        return new Choice(target, null, false);
    }

    public static Choice nobody(String why) {
        return new Choice(null, why, false);
    }

    /** Returns a choice for executors of which none is left that this admin can reach; {@code why} is null if all were tried. */
    public static Choice unreachable(String why) {
        return new Choice(null, why, true);
    }
}
