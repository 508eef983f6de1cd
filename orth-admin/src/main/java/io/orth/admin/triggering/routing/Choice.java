package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;

/**
 * Where a run goes.
 *
 * @param target null where no executor is left to try
 * @param why why none is; null where all were tried
 * @param unreachable whether there are executors for it, and none that is left to try can be reached by this admin
 */
public record Choice(Target target, String why, boolean unreachable) {

    static Choice of(Target target) {
        return new Choice(target, null, false);
    }

    public static Choice nobody(String why) {
        return new Choice(null, why, false);
    }

    /** There are executors, of which none is left that this admin can reach; {@code why} is null where all were tried. */
    public static Choice unreachable(String why) {
        return new Choice(null, why, true);
    }
}
