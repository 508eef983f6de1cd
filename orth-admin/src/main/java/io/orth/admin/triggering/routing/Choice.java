package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;

/**
 * Where a run goes.
 *
 * @param target null where nobody is left to try
 * @param why why nobody is; null where all were tried
 */
public record Choice(Target target, String why) {

    static Choice of(Target target) {
        return new Choice(target, null);
    }

    public static Choice nobody(String why) {
        return new Choice(null, why);
    }
}
