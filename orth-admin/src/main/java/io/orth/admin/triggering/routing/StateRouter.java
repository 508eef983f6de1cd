package io.orth.admin.triggering.routing;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** FAILOVER and BUSYOVER: the first that is fit for it; those in doubt come after those that are well. */
final class StateRouter implements Router {

    private final Health health;
    private final Business business;

    /** {@code business} is null where those that are busy are as good as others. */
    private StateRouter(Health health, Business business) {
        this.health = health;
        this.business = business;
    }

    static StateRouter failover(Health health) {
        return new StateRouter(health, null);
    }

    static StateRouter busyover(Health health, Business business) {
        return new StateRouter(health, business);
    }

    @Override
    public Optional<Target> pick(Run run, List<Target> candidates, Predicate<Target> untried) {
        List<Target> fit = candidates.stream()
                .filter(untried)
                .filter(candidate -> business == null || !business.isBusy(run, candidate))
                .toList();
        Optional<Target> picked = fit.stream()
                .filter(health::isWell)
                .findFirst()
                .or(() -> fit.stream().findFirst());
        if (business != null) {
            picked.ifPresent(target -> business.add(run, target));
        }
        return picked;
    }
}
